import { millisecondsInMinute } from 'date-fns/constants';
import type { SyncOutcome } from '../../api/tracker/sync-api.ts';
import { pausedText } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { ConnectionFact, SyncStatus, SyncStep } from '../../model/sync.ts';
import { counted, fillText } from '../../output/sync-text.ts';
import { createCommand, isoTime, printable } from '../cli-command.ts';

/** Says who is there, brings what is stored of a live tracker up to date once, and prints what came of it. */
export const sync = createCommand({
  name: 'sync',
  usage: 'sync [--compare] [--accept-removals] [--accept-address]',
  summary: 'check the connection and update the stored issues now',
  details:
    'It shows the progress of the initial sync and continues it. The exit code is 1 if something failed or the first sync finds no issue.',
  options: {
    '--compare': 'also compare the id, time of update, status and assignee of every issue',
    '--accept-removals':
      'remove even very many issues that the tracker no longer has; if it no longer shows them, give the account its permission back instead',
    '--accept-address':
      'keep the stored issues when the same tracker has a new address and Dwell cannot recognize it by its issues',
    '--json':
      'print JSON: { introductions, site, movedFrom, filled, done, total, added, updated, removed, issues, cutHistories, asOf, comparedAt, requests: { run, sent, repeated, slowedDown }, withheld, problem: { message, at }, doubt }; null where there is none',
  },
  examples: ['sync', 'sync --compare'],
  async run(typed, parts) {
    const { title } = await parts.tracker();
    const before = await parts.sync.status();
    if (before === null) {
      throw new AppError('not-configured', 'There is nothing to sync', [
        'No connected tracker is configured; .env.example lists the settings of each, such as JIRA_BASE_URL.',
      ]);
    }
    const acceptRemovals = typed.isOn('accept-removals');
    const connectionFacts: ConnectionFact[] = [];
    for await (const one of parts.sync.checkConnection()) {
      parts.out(printable(connectionLine(one, title)));
      connectionFacts.push(one);
    }
    const wasFilled = before.filled;
    const input = {
      // Only a comparison finds what is gone.
      compare: typed.isOn('compare') || acceptRemovals,
      acceptRemovals,
      ...(typed.isOn('accept-address') ? { acceptAddress: true } : {}),
    };
    const progressOf = createSyncProgress(parts.now);
    const outcome = await parts.sync
      .run(input, (status) => parts.progress(progressOf(status)))
      .finally(() => parts.progress(''));
    const movedFrom = before.issues > 0 && before.site !== outcome.site ? before.site : null;
    if (movedFrom !== null) {
      parts.out(
        printable(`${title} has moved from ${movedFrom} to ${outcome.site}; the stored issues stay.`),
      );
    }
    for (const line of syncLines(outcome, connectionFacts)) parts.out(printable(line));
    const doubt = outcome.filled && outcome.issues === 0 ? doubtOf(connectionFacts, title) : null;
    if (doubt !== null) parts.out(printable(doubt));
    if (await parts.restore.isPaused()) parts.err(pausedText);
    parts.json({ introductions: connectionFacts, movedFrom, ...dataOf(outcome), doubt });
    return outcome.problem !== null || (doubt !== null && !wasFilled) ? 1 : 0;
  },
});

/** The advice where there are no issues at all; null where none were expected. */
function doubtOf(connectionFacts: readonly ConnectionFact[], title: string): string | null {
  const issues = connectionFacts.find(
    (one) => one.about === 'issues' || (one.about === 'unknown' && one.what === 'issues'),
  );
  if (issues === undefined) return null;
  const account = connectionFacts.find((one) => one.about === 'account');
  const who = account === undefined ? 'the account of Dwell' : accountText(account);
  const chosen = issues.about === 'issues' && issues.jql !== null ? ` (JIRA_JQL: ${issues.jql})` : '';
  const query = chosen === '' ? '' : ' Is JIRA_JQL right?';
  return `${title} shows ${who} no issues${chosen}. Is it the right account, and can it browse the projects?${query}`;
}

const subjects = {
  account: 'The account of Dwell',
  projects: 'The projects it can browse',
  issues: 'The number of issues',
  permissions: 'Can read permissions of others',
};

/** A line of the check of a connection: it works, or why not. */
function connectionLine(one: ConnectionFact, title: string): string {
  switch (one.about) {
    case 'site':
      return `${one.product} at ${one.url}`;
    case 'account':
      return `As ${accountText(one)}`;
    case 'projects':
      return `Can browse ${counted(one.count)} ${one.count === 1 ? 'project' : 'projects'}`;
    case 'issues': {
      const chosen = one.jql === null ? '' : ` (JIRA_JQL: ${one.jql})`;
      const none = `${subjects.issues} is unknown: ${title} does not say`;
      return one.count === null ? `${none}${chosen}` : `About ${issuesText(one.count)}${chosen}`;
    }
    case 'permissions':
      return `${subjects.permissions}: ${one.refusal === null ? 'yes' : `no: ${one.refusal}`}`;
    case 'unknown':
      return `${subjects[one.what]}: unknown (${one.why})`;
  }
}

/** A person by name and address, in the form of mail programs. */
function accountText({ name, email }: Extract<ConnectionFact, { readonly about: 'account' }>): string {
  return email === null ? name : `${name} <${email}>`;
}

function issuesText(count: number): string {
  return `${counted(count)} ${count === 1 ? 'issue' : 'issues'}`;
}

/** The parts of the tracker that could not be read, with the reasons. */
function withheldOf({ withheld, permissionsProblem }: SyncOutcome): readonly string[] {
  return [
    ...withheld,
    ...(permissionsProblem === null ? [] : [`permissions of others: ${permissionsProblem}`]),
  ];
}

function dataOf(outcome: SyncOutcome) {
  const { site, filled, done, total, issues, cutHistories, asOf, comparedAt, requests, problem } = outcome;
  const { requests: run, ...changes } = outcome.came;
  const withheld = withheldOf(outcome);
  return {
    site,
    filled,
    done,
    total,
    ...changes,
    issues,
    cutHistories,
    asOf: isoTime(asOf),
    comparedAt: isoTime(comparedAt),
    requests: { run, ...requests },
    withheld,
    problem: problem === null ? null : { message: problem.message, at: isoTime(problem.at) },
  };
}

const LABEL = 16;

/** The result of a run, and the state of the synchronisation, line by line. */
function syncLines(outcome: SyncOutcome, connectionFacts: readonly ConnectionFact[]): readonly string[] {
  const { site, filled, issues, cutHistories, asOf, comparedAt, problem } = outcome;
  // The check of the connection says it with the cure, for all projects.
  const isRefused = connectionFacts.some((one) => one.about === 'permissions' && one.refusal !== null);
  const unread = isRefused ? outcome.withheld : withheldOf(outcome);
  return [
    line('Site', site),
    line('This run', cameText(outcome)),
    line('Issues', counted(issues)),
    ...(filled ? [] : [line('Initial sync', fillText(outcome))]),
    line('Cut histories', counted(cutHistories)),
    line('Fresh as of', asOf === null ? 'not before the initial sync is done' : isoTime(asOf)),
    line('Compared', comparedAt === null ? 'never' : isoTime(comparedAt)),
    line('Requests', requestsText(outcome)),
    ...(unread.length === 0 ? [] : [line('Not readable', counted(unread.length))]),
    ...unread.map((what) => `  ${what}`),
    ...(problem === null ? [] : [line('Problem', `${problem.message} (${isoTime(problem.at)})`)]),
  ];
}

function cameText({ came: { added, updated, removed } }: SyncOutcome): string {
  if (added + updated + removed === 0) return 'nothing has changed';
  return `${counted(added)} new, ${counted(updated)} updated, ${counted(removed)} removed`;
}

function requestsText({ came, requests: { sent, repeated, slowedDown } }: SyncOutcome): string {
  const all = `${counted(sent)} in all (${counted(repeated)} repeated, ${counted(slowedDown)} slowed down)`;
  return `${counted(came.requests)} in this run, ${all}`;
}

function line(label: string, value: string): string {
  return `${label.padEnd(LABEL)} ${value}`;
}

/** Before, a pace says nothing. */
const PACE_AFTER_MS = 5_000;

const doing: Readonly<Record<Exclude<SyncStep, 'fill'>, string>> = {
  rests: 'Waiting for the next turn',
  lists: 'Reading statuses, fields, people and filters',
  follow: 'Checking for updates',
  compare: 'Comparing all issues',
};

/** The current step of a synchronisation, as a line; that of a fill has its pace from the second line on. */
function createSyncProgress(now: () => Instant): (status: SyncStatus) => string {
  let begun: { readonly at: Instant; readonly done: number } | null = null;
  return (status) => {
    if (status.step !== 'fill') {
      begun = null;
      return `${doing[status.step]}: ${counted(status.issues)} issues here`;
    }
    // A place that the tracker does not know any more leads back.
    if (begun === null || status.done < begun.done) begun = { at: now(), done: status.done };
    return [`Filling: ${fillText(status)}`, ...paceWords(status, begun, now())].join(', ');
  };
}

function paceWords(
  { done, total }: SyncStatus,
  begun: { readonly at: Instant; readonly done: number },
  at: Instant,
): readonly string[] {
  const [took, came] = [at - begun.at, done - begun.done];
  if (took < PACE_AFTER_MS || came <= 0) return [];
  const perMinute = (came / took) * millisecondsInMinute;
  const pace = `${counted(Math.round(perMinute))} a minute`;
  if (total === null || total <= done) return [pace];
  return [pace, `about ${leftText((total - done) / perMinute)} left`];
}

function leftText(minutes: number): string {
  const whole = Math.ceil(minutes);
  if (whole < 60) return `${whole} min`;
  return `${Math.floor(whole / 60)} h ${whole % 60} min`;
}
