import type { SlackAction } from '../action.ts';
import { openBuilder, readPrefill } from '../builder/open-builder.ts';
import type { QuestionParts, ReadingParts, ViewParts } from '../parts.ts';

/** Opens the report builder; its value is `run ID`, `filter TEXT`, or nothing for what is usual. */
export const openBuilderAction: SlackAction<QuestionParts & ReadingParts & ViewParts> = {
  id: 'open-builder',
  run: ({ value, principal: { account }, place, open }, parts) =>
    openBuilder(readPrefill(value), { account, place }, open, parts),
};
