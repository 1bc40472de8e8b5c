import type { WeeklyAggregates } from '../../model/weekly.ts';
import type { Message } from '../message.ts';
import { lineBlocks } from '../messages/line-blocks.ts';
import { escapeMrkdwn, section } from '../messages/mrkdwn.ts';
import { shorten } from '../messages/shorten.ts';
import { weeklyStatuses } from './weekly-statuses.ts';

const REASON_LENGTH = 200;

const meanings = [
  'Cycle time: working time from the first status in progress until the issue was done.',
  'Median: half took less. 85 %: of 100 issues 85 took no longer. Spread: standard deviation, how far they are from the average.',
  'Average, median, 85 % and spread of a status: the whole time in it of the issues finished in the week. In the week: the time all issues spent in it within the week. Changes are against the week before.',
].join('\n');

/** What belongs below the week: all statuses where they are many, the issues that do not count, and what the words mean. */
export function weeklyDetails(weekly: WeeklyAggregates): Message[] {
  const all = weekly.statuses.length > 10 ? weeklyStatuses(weekly, 99) : null;
  const excluded = weekly.withoutCycleTime.map(
    ({ key, reason }) =>
      () =>
        `${escapeMrkdwn(key)}: ${escapeMrkdwn(shorten(reason, REASON_LENGTH))}`,
  );
  return [
    ...(all === null
      ? []
      : [
          {
            text: escapeMrkdwn(`Every status of the week. ${all.text}.`),
            blocks: [section('*Every status of the week*'), all.block],
          },
        ]),
    ...(excluded.length === 0 ? [] : [lineBlocks(['*Finished, but without a cycle time*', ...excluded])]),
    { text: meanings, blocks: [section(meanings)] },
  ];
}
