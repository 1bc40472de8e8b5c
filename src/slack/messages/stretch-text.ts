import type { TimeSpan } from '../../model/delegation.ts';
import { spanText } from './delegation-line.ts';
import type { Words } from './words.ts';

/** The span that was looked at, and what all of it is called. */
export interface Looked {
  readonly span: TimeSpan;
  readonly whole: string;
}

/** When a stretch is, as far as the span tells it: one that reaches an end of it may go on beyond. */
export function stretchText({ from, until }: TimeSpan, { span, whole }: Looked, words: Words): string {
  const [begins, ends] = [from > span.from, until < span.until];
  if (begins && ends) return spanText({ from, until }, words);
  if (begins) return `from ${words.time(from)} on`;
  return ends ? `until ${words.time(until)}` : whole;
}
