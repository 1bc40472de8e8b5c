import { execFileSync } from 'node:child_process';

/** The commit and the day of what is measured, such as `commit 5e1b3fb3 and changes, 2026-03-18`. */
export function commitText(): string {
  const day = new Date().toISOString().slice(0, 10);
  try {
    const commit = git('rev-parse', '--short=8', 'HEAD');
    // Tables that a run has written are no change of what it measures.
    const isChanged =
      git('status', '--porcelain', '--', ':!docs', ':!bench/ratios.json', ':!bench/before.json') !== '';
    return `commit ${commit}${isChanged ? ' and changes' : ''}, ${day}`;
  } catch {
    return `no commit, ${day}`;
  }
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: `${import.meta.dirname}/..`, encoding: 'utf8' }).trim();
}
