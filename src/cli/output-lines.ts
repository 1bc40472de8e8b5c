import type { Instant } from '../model/issue.ts';

/** The line without line breaks and what commands a terminal: text from files and imports may hold both. */
export function printable(line: string): string {
  return line.replace(/\p{Cc}+/gu, ' ');
}

/** Often enough for who reads a log, and seldom enough for who keeps it. */
const EVERY_MS = 10_000;

/**
 * Where progress is shown: before a person one line is overwritten again and again; anywhere else each ten seconds one
 * line is written below the others, and none of work that takes no longer.
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
