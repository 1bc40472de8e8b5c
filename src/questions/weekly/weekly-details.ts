import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { LeftOut, WeeklyAggregates } from '../../model/answer.ts';
import { weeklyStatuses } from './weekly-statuses.ts';

const REASON_LENGTH = 200;

const meanings = [
  'Cycle time: working time from the first status in progress until the issue was done.',
  'Median: half took less. 85 %: of 100 issues 85 took no longer. Spread: standard deviation, how far they are from the average.',
  'Average, median, 85 % and spread of a status: the whole time in it of the issues finished in the week. In the week: the time all issues spent in it within the week. Changes are against the week before.',
].join('\n');

/** What belongs below the week: all statuses where they are many, the issues that do not count, and what the words mean. */
export function weeklyDetails(weekly: WeeklyAggregates): Message[] {
  const all = weekly.statuses.length > 10 ? weeklyStatuses(weekly, weekly.statuses) : null;
  return [
    ...(all === null
      ? []
      : [
          {
            text: escapeMrkdwn(`Every status of the week. ${all.text}.`),
            blocks: [section('*Every status of the week*'), all.block],
          },
        ]),
    ...leftOut('Finished, but without a cycle time', weekly.withoutCycleTime),
    ...leftOut('Done, but nobody knows since when', weekly.doubts.sinceUnknown),
    ...leftOut('Nobody can tell whether they are open or done', weekly.doubts.unclear),
    { text: meanings, blocks: [section(meanings)] },
  ];
}

/** Issues that some figures leave out, each with the reason. */
function leftOut(title: string, issues: readonly LeftOut[]): Message[] {
  if (issues.length === 0) return [];
  const lines = issues.map(
    ({ key, reason }) =>
      () =>
        `${escapeMrkdwn(key)}: ${escapeMrkdwn(shorten(reason, REASON_LENGTH))}`,
  );
  return [lineBlocks([`*${title}*`, ...lines])];
}
