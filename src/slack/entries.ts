import { questionViews } from './answers/index.ts';
import { savedSets } from './answers/report/read-saved.ts';
import type { SlackAction, SlackMenu, SlackModal, SlackShortcut, SlashCommand } from './app/handler-types.ts';
import type { AskingParts, BuilderParts, SlackParts } from './app/parts.ts';
import { answerTyped, openIssue, runLine, timeInStatus, tisIssue } from './ask/ask-command.ts';
import { explainFigure, whyAnswer } from './ask/explain-answer.ts';
import { tisHelp } from './ask/help.ts';
import { answerChart, answerDetails, turnPage } from './ask/read-question.ts';
import { shareAnswer, submitShare } from './ask/share-answer.ts';
import { builderActions, builderMenus, buildReport, openBuilder } from './builder/open-builder.ts';
import { reportBuilder } from './builder/submit-builder.ts';
import { linkAccount, projectMenu, saveSettings, zoneMenu } from './channels/settings-form.ts';
import { tisAudience, tisCalendar, tisSettings, tisUnfurl } from './channels/settings-words.ts';
import { tisStatus } from './channels/status.ts';
import { delegatesEnd, endDelegation } from './delegates/cover-changes.ts';
import { delegatesHelp, delegatesWho } from './delegates/cover-command.ts';
import { confirmCover, coverTimes, delegatesSet, setDelegation } from './delegates/cover-form.ts';
import { delegatesWeek } from './delegates/cover-week.ts';
import { digestActions, newOwner, tisDigest } from './digests/digest-command.ts';
import { digestEdit, submitDigest } from './digests/digest-form.ts';
import { digestPostAgain } from './digests/digest-notifier.ts';
import { exportActions, tisExport } from './exports/export-actions.ts';
import { exportAnswer, exportFile } from './exports/export-form.ts';
import { flowActions, flowProjects, saveFlow } from './flow/open-flow.ts';
import { homeSnooze } from './home/sections.ts';
import { giveReason, nudgeActions, snoozeNudge } from './nudges/answer-nudge.ts';
import { nudgeAssignee, sendNudge } from './nudges/nudge-form.ts';
import { resolvePrincipal } from './people/accounts.ts';
import { delegatesLink, openLinkPage, tisLink } from './people/link-accounts.ts';
import { snoozeUntil, snoozeVisit } from './watches/snooze-issue.ts';
import { createWatch, watchNew } from './watches/watch-form.ts';
import { tisWatch, watchActions } from './watches/watch-list.ts';

/** `/tis` alone opens the report builder. */
const tis: SlashCommand<AskingParts & BuilderParts> = {
  ...tisIssue,
  alone: (invocation, parts) => openBuilder('', invocation, parts),
};

/** `/tis saved` alone: the parameter sets that can be asked. */
const listSaved: SlashCommand<Pick<SlackParts, 'accounts' | 'people' | 'settings'>>['answer'] = async (
  { principal: { account } },
  parts,
) => {
  const principal = await resolvePrincipal(account, parts);
  const sets = await parts.settings.parameterSets(principal);
  return [savedSets(sets, principal.account, await parts.people.users())];
};

/** `/tis WORD …` of every kind of question. */
const kindCommands: readonly SlashCommand<AskingParts>[] = questionViews
  .flatMap(({ commands }) => commands)
  .map(({ tries, ...line }) => ({
    ...line,
    root: '/tis',
    answer: (invocation, parts) => answerTyped(`${line.word} ${invocation.text}`, invocation, parts, tries),
    ...(line.word === 'saved' ? { alone: listSaved } : {}),
  }));

/** Everything the slash commands can do; a new one is one line here. */
export const commands: readonly SlashCommand<SlackParts>[] = [
  tis,
  ...kindCommands,
  tisExport,
  tisWatch,
  tisDigest,
  tisSettings,
  tisAudience,
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

/** Every kind of button there is; a new one is one line here, or in the list of its feature. */
export const actions: readonly SlackAction<SlackParts>[] = [
  confirmCover,
  coverTimes,
  digestEdit,
  ...digestActions,
  digestPostAgain,
  endDelegation,
  homeSnooze,
  linkAccount,
  ...exportActions,
  openLinkPage,
  explainFigure,
  exportAnswer,
  ...flowActions,
  answerDetails,
  answerChart,
  nudgeAssignee,
  ...nudgeActions,
  runLine,
  shareAnswer,
  turnPage,
  whyAnswer,
  ...builderActions,
  openIssue,
  snoozeVisit,
  ...watchActions,
  watchNew,
];

/** Every kind of modal there is; a new one is one line here. */
export const modals: readonly SlackModal<SlackParts>[] = [
  exportFile,
  setDelegation,
  submitDigest,
  newOwner,
  giveReason,
  reportBuilder,
  saveFlow,
  saveSettings,
  sendNudge,
  snoozeNudge,
  snoozeUntil,
  createWatch,
  submitShare,
];

/** Every menu that is searched; a new one is one line here, or in the list of its feature. */
export const menus: readonly SlackMenu<SlackParts>[] = [...builderMenus, flowProjects, projectMenu, zoneMenu];

/** Every shortcut; a new one is one line here and an entry in the manifest. */
export const shortcuts: readonly SlackShortcut<SlackParts>[] = [buildReport, timeInStatus];
