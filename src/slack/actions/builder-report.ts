import type { SlackAction } from '../action.ts';
import { refillBuilder } from '../builder/open-builder.ts';

/** Another report in the builder: not every one takes dates, groups or a statistic. */
export const builderReport: SlackAction = {
  id: 'builder-report',
  run: (click, parts) => refillBuilder(click, parts),
};
