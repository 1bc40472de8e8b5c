import type { SlackAction } from '../action.ts';
import type { SharingParts } from '../parts.ts';
import { shareRun } from '../sharing/share-run.ts';

/** *Share to channel* under an answer; its value is the run's id. */
export const shareAnswer: SlackAction<SharingParts> = {
  id: 'share-answer',
  run: (click, parts) => shareRun(click.value, click, click.place, parts),
};
