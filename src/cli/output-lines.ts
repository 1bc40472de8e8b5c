import type { Instant } from '../model/issue.ts';

/** The line without line breaks and what commands a terminal: text from files and imports may hold both. */
export function printable(line: string): string {
  return line.replace(/\p{Cc}+/gu, ' ');
}

/** Often enough for who reads a log, and seldom enough for who keeps it. */
const EVERY_MS = 10_000;

/**
 * Creates the output of progress: on a terminal one line is overwritten again and again; anywhere else a line is added
 * every ten seconds, and none for shorter work.
 */
export function createProgressLine({
  watched,
  write,
  now,
}: {
  readonly watched: boolean;
  readonly write: (text: string) => void;
  readonly now: () => Instant;
}): (line: string) => void {
  if (watched) return (line) => write(`\r\u001b[K${line}`);
  let since: Instant | null = null;
  return (line) => {
    since ??= now();
    if (line === '' || now() - since < EVERY_MS) return;
    since = now();
    write(`${line}\n`);
  };
}
