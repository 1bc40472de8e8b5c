import type { SlackParts } from '../parts.ts';
import type { SlackShortcut } from '../shortcut.ts';
import { buildReport } from './report-builder.ts';
import { timeInStatus } from './time-in-status.ts';

/** Every shortcut; a new one is one file, one line here, and an entry in the manifest. */
export const shortcuts: readonly SlackShortcut<SlackParts>[] = [buildReport, timeInStatus];
