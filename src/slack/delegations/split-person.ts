import type { User } from '../../model/issue.ts';
import type { TypedPerson } from '../people/find-person.ts';
import { usersNamed } from '../people/users-named.ts';
import { linkLabels } from './link-labels.ts';

/** Whom a line begins with, as they were typed, and what stands behind. */
export interface Split {
  readonly person: TypedPerson;
  readonly rest: string;
}

/** Full names may have blanks; nobody's has more words. */
const MOST_WORDS = 6;

/** A mention, a name in quotes, the longest name the tracker knows, or else the first word; null for an empty line. */
export function splitPerson(typed: string, users: ReadonlyMap<string, User>): Split | null {
  const text = linkLabels(typed);
  const [, account, behindMention = ''] = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>\s*(.*)$/s.exec(text) ?? [];
  if (account !== undefined) return { person: { account }, rest: behindMention };
  const plain = text.replace(/^@/, '');
  const [, quoted, behindQuotes = ''] = /^["“„]([^"“”]+)["“”]\s*(.*)$/s.exec(plain) ?? [];
  if (quoted !== undefined)
    return { person: { name: quoted.trim().replace(/\s+/g, ' ') }, rest: behindQuotes };
  const words = plain.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  const prefix = (count: number) => words.slice(0, count).join(' ');
  let count = Math.min(MOST_WORDS, words.length);
  while (count > 1 && usersNamed(prefix(count), users).length === 0) count -= 1;
  return { person: { name: prefix(count) }, rest: words.slice(count).join(' ') };
}
