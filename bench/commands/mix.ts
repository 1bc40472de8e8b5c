/** What is typed, of how many in twenty. */
export interface Kind {
  readonly name: string;
  readonly share: number;
  /** The line as the `n`th asks it. */
  line(n: number, keys: readonly string[]): string;
}

const projects = ['WEB', 'APP', 'OPS'];
const projectAt = (n: number) => projects[n % projects.length] ?? '';

/** Mostly single issues; a few questions about a whole project. */
export const kinds: readonly Kind[] = [
  { name: 'issue', share: 14, line: (n, keys) => `/tis ${keys[(n * 7919) % keys.length]}` },
  { name: 'help', share: 2, line: () => '/tis help' },
  { name: 'project', share: 2, line: (n) => `/tis project ${projectAt(n)} last 30 days by assignee` },
  { name: 'aging', share: 1, line: (n) => `/tis aging ${projectAt(n)}` },
  { name: 'weekly', share: 1, line: (n) => `/tis weekly ${projectAt(n)}` },
];

const turns = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));

/** The kind of the `n`th command; dear ones do not stand side by side. */
export function kindAt(n: number): Kind {
  const kind = turns[(n * 7) % turns.length];
  if (kind === undefined) throw new Error('there is no kind of command');
  return kind;
}
