import { questionKinds } from '../questions/index.ts';
import type { SlackAction, SlackMenu, SlackModal, SlackShortcut, SlashCommand } from './app/handler-types.ts';
import type { AskingParts, BuilderParts, SlackParts } from './app/parts.ts';
import { answerTyped, runLine, tisIssue } from './ask/ask-command.ts';
import { openIssue, timeInStatus } from './ask/ask-from-message.ts';
import { explainFigure, whyAnswer } from './ask/explain-answer.ts';
import { tisHelp } from './ask/help.ts';
import { nudgeAssignee } from './ask/nudge.ts';
import { savedSets } from './ask/saved-sets.ts';
import { shareAnswer } from './ask/share-answer.ts';
import { answerDetails, turnPage } from './ask/show-answer.ts';
import {
  builderCalendar,
  builderGroup,
  builderRange,
  builderReport,
  builderSaved,
  builderSavedMenu,
  buildReport,
  openBuilder,
  openBuilderAction,
} from './builder/open-builder.ts';
import { reportBuilder } from './builder/submit-builder.ts';
import { tisAudience } from './channels/audience-command.ts';
import { tisCalendar } from './channels/calendar-command.ts';
import { tisStatus } from './channels/status-command.ts';
import { tisUnfurl } from './channels/unfurl-links.ts';
import { delegatesHelp, delegatesWho } from './delegates/cover-command.ts';
import { confirmCover, coverTimes, delegatesSet, setDelegation } from './delegates/cover-form.ts';
import { delegatesWeek } from './delegates/cover-week.ts';
import { delegatesEnd, endDelegation } from './delegates/end-cover.ts';
import {
  digestDelete,
  digestPause,
  digestPostAgain,
  digestPreview,
  digestResume,
} from './digests/digest-actions.ts';
import { tisDigest } from './digests/digest-command.ts';
import { digestEdit, digestForm } from './digests/digest-form.ts';
import { digestHandOver, digestNewOwner, digestTakeOver } from './digests/digest-owner.ts';
import { abortExport, getExportFile, openExportFile } from './exports/export-actions.ts';
import { tisExport } from './exports/export-command.ts';
import { exportAnswer, exportForm, exportIssue } from './exports/export-form.ts';
import { homeSettings, openHomeSettings } from './home/home-settings.ts';
import { homeAsk, homeRefresh } from './home/homes.ts';
import { delegatesLink, openLinkPage, tisLink } from './people/link-accounts.ts';
import { resolvePrincipal } from './people/principals.ts';
import { snoozeUntil, snoozeVisit } from './watches/snooze.ts';
import { watchDelete, watchMute, watchPause, watchResume } from './watches/watch-actions.ts';
import { tisWatch } from './watches/watch-command.ts';
import { watchForm, watchNew } from './watches/watch-form.ts';

/** `/tis` alone opens the report builder. */
const tis: SlashCommand<AskingParts & BuilderParts> = {
  ...tisIssue,
  answer: (asked, parts) =>
    asked.text === ''
      ? openBuilder(
          { by: 'usual' },
          { account: asked.principal.account, place: asked.place },
          asked.open,
          parts,
        )
      : tisIssue.answer(asked, parts),
};

/** `/tis WORD …` of every kind of question. */
const kindCommands: readonly SlashCommand<AskingParts>[] = questionKinds
  .flatMap(({ commands }) => commands)
  .map(({ tries, ...line }) => ({
    ...line,
    root: '/tis',
    answer: (asked, parts) =>
      line.word === 'saved' && asked.text === ''
        ? listSaved(asked, parts)
        : answerTyped(`${line.word} ${asked.text}`, asked, parts, tries),
  }));

/** Everything the slash commands can do; a new one is one line here. */
export const commands: readonly SlashCommand<SlackParts>[] = [
  tis,
  ...kindCommands,
  tisExport,
  tisWatch,
  tisAudience,
  tisDigest,
  tisCalendar,
  tisUnfurl,
  tisLink,
  tisStatus,
  tisHelp,
  delegatesWho,
  delegatesWeek,
  delegatesSet,
  delegatesEnd,
  delegatesLink,
  delegatesHelp,
];

/** `/tis saved` alone: the parameter sets that can be asked. */
const listSaved: SlashCommand<Pick<SlackParts, 'accounts' | 'people' | 'settings'>>['answer'] = async (
  { principal: { account } },
  parts,
) => {
  const principal = await resolvePrincipal(account, parts);
  const sets = await parts.settings.parameterSets(principal);
  return [savedSets(sets, principal.account, await parts.people.users())];
};

/** Every kind of button there is; a new one is one line here. */
export const actions: readonly SlackAction<SlackParts>[] = [
  abortExport,
  confirmCover,
  coverTimes,
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
  openHomeSettings,
  openExportFile,
  openLinkPage,
  explainFigure,
  exportAnswer,
  answerDetails,
  nudgeAssignee,
  runLine,
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

/** Every kind of modal there is; a new one is one line here. */
export const modals: readonly SlackModal<SlackParts>[] = [
  exportForm,
  setDelegation,
  homeSettings,
  digestForm,
  digestNewOwner,
  reportBuilder,
  snoozeUntil,
  watchForm,
];

/** Every menu that is searched; a new one is one line here. */
export const menus: readonly SlackMenu<SlackParts>[] = [builderCalendar, builderGroup, builderSavedMenu];

/** Every shortcut; a new one is one line here and an entry in the manifest. */
export const shortcuts: readonly SlackShortcut<SlackParts>[] = [buildReport, timeInStatus];
