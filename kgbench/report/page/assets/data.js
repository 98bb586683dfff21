// The data of the page: blocks of JSON in the document itself. Traces lie in chunks and are read when looked at.

const KEPT = 6; // chunks in memory

/** Read a block that is plain JSON. */
export function readBlock(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

async function unpacked(base64) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot unpack the traces. Make the page again with --plain, or use a newer browser.");
  }
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

/** The traces, by the place of a question in the index. */
export class Traces {
  constructor(firstRows, packed) {
    this.firstRows = firstRows;
    this.packed = packed;
    this.kept = new Map();
  }

  get size() {
    return this.firstRows.length;
  }

  chunkOf(row) {
    let low = 0;
    let high = this.firstRows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.firstRows[middle] <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async parsed(number) {
    const text = document.getElementById(`chunk-${number}`).textContent;
    return JSON.parse(this.packed ? await unpacked(text) : text);
  }

  /** One question's traces with the table of texts that they point into. */
  async read(row) {
    const number = this.chunkOf(row);
    if (!this.kept.has(number)) {
      this.kept.set(number, this.parsed(number));
      if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    }
    const chunk = await this.kept.get(number);
    return { texts: chunk.texts, ...chunk.questions[row - this.firstRows[number]] };
  }

  /** Go through all questions, chunk by chunk, leaving the browser time between; stops where `visit` returns false. */
  async each(visit) {
    for (let number = 0; number < this.size; number += 1) {
      const chunk = await this.parsed(number);
      for (const [place, question] of chunk.questions.entries()) {
        if (visit(this.firstRows[number] + place, question, chunk.texts) === false) return;
      }
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
}
