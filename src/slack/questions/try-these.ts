import type { Person, SlackParts } from '../command.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import { askerOrNobody } from '../people/asker-of.ts';
import type { ReadingParts } from './read-question.ts';

/** What a line that works is made of: an issue that somebody can see, and its project. */
export interface Example {
  readonly key: string;
  readonly project: string;
}

/** What to try (mrkdwn), with an issue that works here; `lines` makes whole lines of it. */
export async function tryThese(
  { asker: { user: account } }: Pick<Person, 'asker'>,
  lines: (example: Example) => readonly string[],
  parts: ReadingParts & Pick<SlackParts, 'reporting'>,
): Promise<string> {
  const asker = await askerOrNobody(account, parts);
  if (asker === null) return 'Try `/tis help`.';
  const [key] = await parts.reporting.exampleKeys(asker, 1);
  if (key === undefined) {
    return 'There are no issues here yet: import some with `npm run dwell -- import FILE`.';
  }
  const marked = lines({ key, project: key.slice(0, key.lastIndexOf('-')) }).map(
    (line) => `\`${escapeMrkdwn(line)}\``,
  );
  return `Try ${[...marked, '`/tis help`'].join(', or ').replace(/, or (?=.*, or )/g, ', ')}.`;
}
