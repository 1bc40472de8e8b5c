import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { Principal } from '../../model/principal.ts';
import type { Person } from '../command.ts';
import type { ReadingParts, SlackParts } from '../parts.ts';
import { principalOrNobody } from '../people/resolve-principal.ts';

/** What a line that works is made of: an issue that somebody can see, and its project. */
export interface Example {
  readonly key: string;
  readonly project: string;
}

/** What to try (mrkdwn), with an issue that works here; `lines` makes whole lines of it. */
export async function tryThese(
  { principal: { account } }: Pick<Person, 'principal'>,
  lines: (example: Example) => readonly string[],
  parts: ReadingParts & Pick<SlackParts, 'reporting' | 'sync'>,
): Promise<string> {
  const principal = await principalOrNobody(account, parts);
  if (principal === null) return 'Try `/tis help`.';
  const [key] = await parts.reporting.exampleKeys(principal, 1);
  if (key === undefined) return whatBringsIssues(principal, parts);
  const marked = lines({ key, project: key.slice(0, key.lastIndexOf('-')) }).map(
    (line) => `\`${escapeMrkdwn(line)}\``,
  );
  return `Try ${[...marked, '`/tis help`'].join(', or ').replace(/, or (?=.*, or )/g, ', ')}.`;
}

/** Whether there are none, or none that they may see, is not for everybody to know. */
async function whatBringsIssues({ rights }: Principal, { sync }: Pick<SlackParts, 'sync'>): Promise<string> {
  const bring =
    (await sync.status()) === null
      ? 'Import some with `npm run dwell -- import FILE`, or ask an admin whether you may see any.'
      : '`/tis status` tells how fresh they are, and who you are to me.';
  if (rights !== 'stranger') return `There is no issue here that you may see. ${bring}`;
  return `There is no issue here that everybody may see, and I do not know who you are in the tracker: say it with \`/tis link\`. ${bring}`;
}
