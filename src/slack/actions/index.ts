import type { SlackAction } from '../action.ts';
import { abortExport } from './abort-export.ts';
import { exportIssue } from './export-issue.ts';
import { getExportFile } from './get-export-file.ts';
import { openExportFile } from './open-export-file.ts';

/** Every kind of button there is; a new one is one file and one line here. */
export const actions: readonly SlackAction[] = [abortExport, exportIssue, getExportFile, openExportFile];
