/** An answer that is no list is far smaller. */
const LONGEST_BYTES = 4 << 20;

/** A file's bytes on their way, and its text once they have all come by. */
interface ShortFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Null for a file that is too long to be kept. */
  text(): string | null;
}

/** Keeps what streams by as long as it is short, for a pipe cannot be read twice. */
export function keepShortFile(bytes: AsyncIterable<Uint8Array>): ShortFile {
  let kept: Uint8Array[] = [];
  let length = 0;
  async function* passOn() {
    for await (const chunk of bytes) {
      length += chunk.length;
      if (length > LONGEST_BYTES) kept = [];
      else kept.push(chunk);
      yield chunk;
    }
  }
  return {
    chunks: passOn(),
    text: () => (length > LONGEST_BYTES ? null : Buffer.concat(kept).toString('utf8')),
  };
}
