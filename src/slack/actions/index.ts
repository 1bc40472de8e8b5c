import type { SlackAction } from '../action.ts';
import type { SlackParts } from '../parts.ts';
import { abortExport } from './abort-export.ts';
import { builderRange } from './builder-range.ts';
import { builderReport } from './builder-report.ts';
import { builderSaved } from './builder-saved.ts';
import { choosePerson } from './choose-person.ts';
import { digestDelete } from './digest-delete.ts';
import { digestEdit } from './digest-edit.ts';
import { digestHandOver } from './digest-hand-over.ts';
import { digestPause } from './digest-pause.ts';
import { digestPostAgain } from './digest-post-again.ts';
import { digestPreview } from './digest-preview.ts';
import { digestResume } from './digest-resume.ts';
import { digestTakeOver } from './digest-take-over.ts';
import { endDelegation } from './end-delegation.ts';
import { explainFigure } from './explain-figure.ts';
import { exportAnswer } from './export-answer.ts';
import { exportIssue } from './export-issue.ts';
import { getExportFile } from './get-export-file.ts';
import { homeAsk } from './home-ask.ts';
import { homeRefresh } from './home-refresh.ts';
import { homeSettings } from './home-settings.ts';
import { listLater } from './list-later.ts';
import { openBuilderAction } from './open-builder.ts';
import { openExportFile } from './open-export-file.ts';
import { openIssue } from './open-issue.ts';
import { openLinkPage } from './open-link-page.ts';
import { shareAnswer } from './share-answer.ts';
import { snoozeVisit } from './snooze-visit.ts';
import { turnPage } from './turn-page.ts';
import { watchDelete } from './watch-delete.ts';
import { watchMute } from './watch-mute.ts';
import { watchNew } from './watch-new.ts';
import { watchPause } from './watch-pause.ts';
import { watchResume } from './watch-resume.ts';
import { whyAnswer } from './why-answer.ts';

/** Every kind of button there is; a new one is one file and one line here. */
export const actions: readonly SlackAction<SlackParts>[] = [
  abortExport,
  choosePerson,
  digestDelete,
  digestEdit,
  digestHandOver,
  digestPause,
  digestPostAgain,
  digestPreview,
  digestResume,
  digestTakeOver,
  endDelegation,
  exportIssue,
  getExportFile,
  homeAsk,
  homeRefresh,
  homeSettings,
  listLater,
  openExportFile,
  openLinkPage,
  explainFigure,
  exportAnswer,
  shareAnswer,
  turnPage,
  whyAnswer,
  builderRange,
  builderReport,
  builderSaved,
  openBuilderAction,
  openIssue,
  snoozeVisit,
  watchDelete,
  watchMute,
  watchNew,
  watchPause,
  watchResume,
];
