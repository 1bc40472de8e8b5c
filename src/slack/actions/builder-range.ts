import type { SlackAction } from '../action.ts';
import { refillBuilder } from '../builder/open-builder.ts';

/** Another time in the builder: two days have fields of their own. */
export const builderRange: SlackAction = {
  id: 'builder-range',
  run: (click, parts) => refillBuilder(click, parts),
};
