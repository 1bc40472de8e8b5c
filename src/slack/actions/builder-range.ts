import type { SlackAction } from '../action.ts';
import { refillBuilder } from '../builder/open-builder.ts';
import type { ReadingParts } from '../parts.ts';

/** Another time in the builder: two days have fields of their own. */
export const builderRange: SlackAction<ReadingParts> = {
  id: 'builder-range',
  run: (click, parts) => refillBuilder(click, parts),
};
