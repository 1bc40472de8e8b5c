import type { Instant } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type Principal } from '../../model/request.ts';
import { type SyncStatus, syncCommand } from '../../model/sync.ts';
import type { Provenance } from '../../model/table.ts';
import { countWords } from '../../output/figure-words.ts';
import { shorten } from '../../output/readable-text.ts';
import { momentText } from '../answers/view/answer-warnings.ts';
import { marked } from '../answers/view/marked-wording.ts';
import { type Found, knownSync, storedText, syncLines, whileFilling } from '../answers/view/sync-lines.ts';
import type { SlashCommand } from '../app/handler-types.ts';
import { hoursInForce } from '../app/hours-here.ts';
import { pausedLine } from '../app/message-texts.ts';
import type { AudienceParts, PeopleParts, SlackParts } from '../app/parts.ts';
import { usageRefusal } from '../app/show-failure.ts';
import { lineBlocks } from '../blocks/message.ts';
import { escapeMrkdwn } from '../blocks/mrkdwn.ts';
import { hasAdmins, loginOf, type Recognition, recognize, resolvePrincipal } from '../people/accounts.ts';
import { noPeopleText } from '../people/identify.ts';
import { audienceText } from './audience.ts';
import { isOurConversation } from './channel-facts.ts';

/** The parts that Dwell's state is read from. */
export type StatusParts = AudienceParts &
  PeopleParts &
  Pick<SlackParts, 'now' | 'settings' | 'sync' | 'restore' | 'timeZone' | 'version' | 'web'>;

/** `/tis status`: the state of Dwell, as far as it matters here. */
export const tisStatus: SlashCommand<StatusParts> = {
  root: '/tis',
  word: 'status',
  isInSettings: true,
  usage: '/tis status',
  summary: 'how fresh the data is, the settings of this channel, and who you are',
  async answer({ text, principal: { account }, place }, parts) {
    if (text !== '') return [usageRefusal(text, tisStatus.usage)];
    const principal = await resolvePrincipal(account, parts);
    const [state, hours, shared] = await Promise.all([
      findState(account, principal, parts),
      hoursInForce(place, account, await parts.settings.calendars(principal), parts),
      sharedText(place.channel, principal, parts),
    ]);
    const here = [`*Here* ${hours}`, `*Sharing* ${shared}`, `*You* ${state.you}`];
    return [lineBlocks([...state.data, ...here, ...state.slack, state.version])];
  },
};

/** Sentences (mrkdwn) on what can be shared in a place, for one reader. */
export async function sharedText(
  channel: string,
  principal: Principal,
  parts: AudienceParts,
): Promise<string> {
  if (await isOurConversation(channel, parts.channelFacts)) return 'Only you and I are in this conversation.';
  const found = await knownSync(audienceText(channel, principal, parts));
  return found.value === null ? shownReason(found.reason) : found.value.join(' ');
}

/** Dwell's state in lines (mrkdwn): its data, who the reader is to it, what Slack has not granted, and its version. */
export interface State {
  readonly data: readonly string[];
  readonly you: string;
  readonly slack: readonly string[];
  readonly version: string;
}

/** Finds it with a person's own permissions; what is unavailable for a while takes nothing else with it. */
export async function findState(account: string, principal: Principal, parts: StatusParts): Promise<State> {
  const { people, sync, restore, web, now, version } = parts;
  const [issues, fresh, known, users, granted] = await Promise.all([
    knownSync(provenanceFor(principal, parts)),
    sync.status(),
    recognize(account, parts).catch(() => null),
    people.users(),
    // Installing the app again may have granted more since the start.
    web.auth.test().catch(() => null),
  ]);
  const isAdmin = principal.rights === 'admin';
  const pausedLines = (await restore.isPaused()) ? [`*Posts* ${pausedLine(isAdmin)}`] : [];
  const canChange = isAdmin || !(await hasAdmins(people));
  return {
    data: [...dataLines(issues, fresh, now(), isAdmin), ...pausedLines],
    you: whoText(known, users.size > 0, fresh),
    slack: canChange ? grantedLines(granted?.response_metadata?.scopes) : [],
    version: `*Dwell* ${escapeMrkdwn(version)}`,
  };
}

async function provenanceFor(
  principal: Principal,
  { reporting }: Pick<SlackParts, 'reporting'>,
): Promise<Provenance> {
  const { provenance } = await reporting.report(
    ask({
      principal,
      reportType: reportIds.statusCount,
      selection: { by: 'jql', jql: '' },
      statistic: { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 85 },
    }),
  );
  return provenance;
}

/**
 * Lines on how fresh the issues are, and how many of them the reader sees. `admin`: also on how much there is, and why
 * something failed.
 */
export function dataLines(
  found: Found<Provenance>,
  sync: SyncStatus | null,
  at: Instant,
  admin: boolean,
): readonly string[] {
  const issues = `*Issues* ${found.value === null ? missingText(found.reason, sync) : issuesText(found.value)}`;
  if (sync === null) return found.value === null ? [issues] : [trackerLine(found.value, at), issues];
  const [first = '', ...others] = syncLines(sync, at, admin);
  const stored = admin ? ` ${storedText(sync)}` : '';
  return [`*Tracker* ${first}${stored}`, ...others.map((line) => `      ${line}`), issues];
}

function trackerLine({ tracker, dataAsOf }: Provenance, at: Instant): string {
  const fresh = dataAsOf === null ? 'always fresh' : `as of ${momentText(dataAsOf, at, marked)}`;
  return `*Tracker* ${trackerNames.get(tracker) ?? escapeMrkdwn(tracker)}, ${fresh}`;
}

const trackerNames: ReadonlyMap<string, string> = new Map([
  ['sample', 'sample (a fictional company)'],
  ['file', 'imported issues'],
  ['hosted', 'the time-in-status service'],
]);

function issuesText({ issues, cutHistories, unasked = 0 }: Provenance): string {
  const cut =
    cutHistories === 0
      ? 'All histories are complete.'
      : `The history of ${countWords(cutHistories)} of them is cut: where that matters, the answer says so.`;
  return [
    `${countWords(issues)} that you can see.`,
    cut,
    ...(unasked === 0 ? [] : [hiddenText(unasked)]),
  ].join(' ');
}

/** Issues are hidden where it is unknown who can see them, with the usual reason. */
function hiddenText(count: number): string {
  return `:warning: ${countWords(count)} more ${count === 1 ? 'is' : 'are'} hidden: Jira doesn't say who can see ${count === 1 ? 'it' : 'them'}. Dwell's Jira account needs the permission 'Administer Jira', or set JIRA_RIGHTS=rules; on the server, \`${syncCommand}\` says more.`;
}

/** The line about the tracker already says this. */
function missingText(reason: string, sync: SyncStatus | null): string {
  return sync !== null && !sync.filled ? whileFilling : shownReason(reason);
}

function shownReason(sentences: string): string {
  return `Unknown at the moment. ${escapeMrkdwn(shorten(sentences, 400))}`;
}

const NAME_LENGTH = 80;

/** Sentences on who a person is in the tracker, and what they see. */
export function whoText(known: Recognition | null, knowsUsers: boolean, sync: SyncStatus | null): string {
  const open = 'You see only what every user can see.';
  switch (known?.kind) {
    case 'known':
      return `Linked to Jira user ${escapeMrkdwn(shorten(known.user.name, NAME_LENGTH))} (${escapeMrkdwn(loginOf(known.user))}). You see what this user can see in Jira.`;
    case 'several':
      return `Several Jira users have your email address. ${open} Link yours with \`/tis link\`.`;
    case 'unknown':
      return knowsUsers
        ? `Not linked to a Jira user. ${escapeMrkdwn(known.because)} ${open} Link yours with \`/tis link\`.`
        : `Not linked to a Jira user. ${noPeopleText(sync)} ${open}`;
    case undefined:
      return `Slack doesn't say who you are at the moment. ${open} Try again later.`;
  }
}

function grantedLines(granted: readonly string[] | undefined): readonly string[] {
  const missing = missingScopes(granted).map(
    ({ scopes, without }) =>
      `*Slack* has not granted ${scopes.map((scope) => `\`${scope}\``).join(', ')}: ${without}. Reinstall the app from the manifest.`,
  );
  return missing.length === 0 && granted !== undefined ? ['All *Slack* permissions are granted.'] : missing;
}

/** Some scopes of Slack, and what is lost without them. docs/slack.md has the same table in words for people. */
interface ScopeUse {
  readonly scopes: readonly string[];
  readonly without: string;
  /** An admin may have left them out on purpose. */
  readonly isOptional?: true;
}

/** Every scope that `manifest.yml` asks for. */
export const scopeUses: readonly ScopeUse[] = [
  { scopes: ['commands', 'chat:write'], without: 'nothing works' },
  {
    scopes: ['app_mentions:read', 'im:history'],
    without:
      "only commands are answered; if it is unclear whether a direct message arrived, it isn't sent again",
  },
  { scopes: ['files:write', 'files:read'], without: 'no files and no pictures of charts' },
  { scopes: ['users:read', 'users:read.email'], without: 'only people who are linked are answered' },
  {
    scopes: ['channels:read', 'groups:read', 'mpim:read'],
    without: 'nothing is shared in a channel until an admin uses `/tis audience allow PROJECT with guests`',
    isOptional: true,
  },
  {
    scopes: ['channels:history', 'groups:history', 'mpim:history', 'im:write'],
    without:
      "if it is unclear whether a digest or an alert was posted, it isn't posted again; its owner is notified",
    isOptional: true,
  },
];

/** Which scopes were not granted, with what is lost; none where Slack does not say what it granted. */
export function missingScopes(granted: readonly string[] | undefined): readonly ScopeUse[] {
  if (granted === undefined) return [];
  return scopeUses.flatMap((use) => {
    const scopes = use.scopes.filter((scope) => !granted.includes(scope));
    return scopes.length === 0 ? [] : [{ ...use, scopes }];
  });
}
