/** The depth to which Jira nests; deeper content is garbage. */
const DEEPEST = 64;

/** A piece of a document: a block stands on lines of its own, the rest runs on within a line. */
interface Piece {
  readonly text: string;
  readonly block: boolean;
}

/** The text of rich text (Atlassian Document Format), blocks on lines of their own; null when it is none. */
export function documentText(raw: unknown): string | null {
  if (raw === null || typeof raw !== 'object') return null;
  if (Reflect.get(raw, 'type') !== 'doc' || !Array.isArray(Reflect.get(raw, 'content'))) return null;
  return read(raw, 0)?.text ?? null;
}

function read(node: unknown, depth: number): Piece | null {
  if (node === null || typeof node !== 'object' || depth > DEEPEST) return null;
  if (Reflect.get(node, 'type') === 'hardBreak') return { text: '\n', block: false };
  const content: unknown = Reflect.get(node, 'content');
  if (Array.isArray(content)) {
    return { text: join(content.flatMap((one: unknown) => read(one, depth + 1) ?? [])), block: true };
  }
  const text = ownText(node);
  return text === null ? null : { text, block: false };
}

/** A text names itself; a mention or an emoji does so among its attributes. */
function ownText(node: object): string | null {
  const text: unknown = Reflect.get(node, 'text');
  if (typeof text === 'string') return text;
  const attributes: unknown = Reflect.get(node, 'attrs');
  if (attributes === null || typeof attributes !== 'object') return null;
  const named: unknown = Reflect.get(attributes, 'text');
  return typeof named === 'string' ? named : null;
}

function join(pieces: readonly Piece[]): string {
  return pieces
    .filter(({ text }) => text !== '')
    .map(({ text, block }, i, all) => (i > 0 && (block || all[i - 1]?.block) ? `\n${text}` : text))
    .join('');
}
