import type { SlackAction } from '../action.ts';
import { abortExport } from './abort-export.ts';
import { choosePerson } from './choose-person.ts';
import { endDelegation } from './end-delegation.ts';
import { exportIssue } from './export-issue.ts';
import { getExportFile } from './get-export-file.ts';
import { listLater } from './list-later.ts';
import { openExportFile } from './open-export-file.ts';
import { openLinkPage } from './open-link-page.ts';

/** Every kind of button there is; a new one is one file and one line here. */
export const actions: readonly SlackAction[] = [
  abortExport,
  choosePerson,
  endDelegation,
  exportIssue,
  getExportFile,
  listLater,
  openExportFile,
  openLinkPage,
];
