import { dayAt } from '../../time/wall-clock.ts';
import type { ReadingParts } from '../app/parts.ts';
import { coverLine, isAboutCover } from '../delegates/plain-cover.ts';
import { asksHelp, asksHours } from './plain/small-talk.ts';

/** The line of another command that a sentence means: who covers, who is away, what can be asked, which hours count; null for a question about issues. */
export async function otherLine(
  text: string,
  { people, now, timeZone }: Pick<ReadingParts, 'people' | 'now' | 'timeZone'>,
): Promise<string | null> {
  if (asksHelp(text)) return '/tis help';
  if (asksHours(text)) return '/tis status';
  const users = await people.users();
  if (!isAboutCover(text, { users })) return null;
  const read = coverLine(text, { users, today: dayAt(now(), timeZone) });
  if (read === null) return null;
  // About cover of a person what is not understood is said there, and nothing of issues is offered.
  if (read.leftover.length > 0) return read.people.length > 0 ? `/delegates ${text}` : null;
  return read.line;
}
