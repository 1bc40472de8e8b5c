import type { SlackAction } from '../action.ts';
import { refillBuilder } from '../builder/open-builder.ts';
import type { ReadingParts } from '../parts.ts';

/** Another report in the builder: not every one takes dates, groups or a statistic. */
export const builderReport: SlackAction<ReadingParts> = {
  id: 'builder-report',
  run: (click, parts) => refillBuilder(click, parts),
};
