import { openBuilder } from '../builder/open-builder.ts';
import type { QuestionParts, ReadingParts, ViewParts } from '../parts.ts';
import type { SlackShortcut } from '../shortcut.ts';

/** *Build a report* from anywhere: its answers come in the conversation with the app. */
export const buildReport: SlackShortcut<QuestionParts & ReadingParts & ViewParts> = {
  id: 'report-builder',
  type: 'global',
  run: ({ principal: { account }, open }, parts) =>
    openBuilder({ by: 'usual' }, { account, place: { channel: account, threadTs: null } }, open, parts),
};
