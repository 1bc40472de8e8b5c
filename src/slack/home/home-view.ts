import type { HomeView } from '@slack/types';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { momentText } from '../answers/view/answer-warnings.ts';
import { marked } from '../answers/view/marked-wording.ts';
import { fillLine, syncLines, whileFilling } from '../answers/view/sync-lines.ts';
import { pausedLine } from '../app/message-texts.ts';
import type { MessageBlock } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import type { Facts, HomeContent, Section } from './gather-home.ts';
import {
  assignedBlocks,
  assignedTitle,
  coverBlocks,
  coverTitle,
  nameText,
  scheduleBlocks,
  scheduleTitle,
  weekBlocks,
  weekTitle,
} from './sections.ts';

/** The Home tab: a pure view, within Slack's limits whatever there is to show. */
export function homeView(content: HomeContent): HomeView {
  const { at, who, assigned, cover, weeks, scheduled, facts, sync } = content;
  const timeZone = facts.state === 'known' ? facts.value.timeZone : null;
  const parts = [
    partOf('', who, (value) => (value.kind === 'unknown' ? value.invitation.blocks.slice(0, 4) : [])),
    partOf(assignedTitle, assigned, (value) => (value === null ? [] : assignedBlocks(value))),
    partOf(coverTitle, cover, (value) => coverBlocks(value, at)),
    partOf(weekTitle, weeks, weekBlocks),
    partOf(scheduleTitle, scheduled, (value) => scheduleBlocks(value, timeZone)),
    partOf('', facts, () => []),
  ];
  const filling = sync.state === 'known' && sync.value?.filled === false ? sync.value : null;
  const top = [
    ...(filling === null ? [] : [section(`*${fillLine(filling)}*\n${whileFilling}`)]),
    ...pausedBlocks(content),
    ...greetingBlocks(content),
  ];
  // Parts that failed alike say why once.
  const isFirstWith = ({ why }: (typeof parts)[number], at: number) =>
    why === null || parts.findIndex((one) => one.why === why) === at;
  const shown = [top, ...parts.filter(isFirstWith).map(({ blocks }) => blocks)];
  return {
    type: 'home',
    blocks: [
      ...shown.flatMap((blocks): readonly MessageBlock[] =>
        blocks.length === 0 ? [] : [...blocks, { type: 'divider' }],
      ),
      context(footText(content)),
    ],
  };
}

/** A part of the tab: its blocks, and the reason where it failed. Small print has no title. */
function partOf<Value>(
  title: string,
  part: Section<Value>,
  known: (value: Value) => readonly MessageBlock[],
): { readonly why: string | null; readonly blocks: readonly MessageBlock[] } {
  if (part.state === 'known') return { why: null, blocks: known(part.value) };
  const heading = (more: string) => (title === '' ? [] : [section(`*${title}*${more}`)]);
  if (part.state === 'counting') return { why: null, blocks: heading('\nCounting…') };
  const { why, isPassingFailure } = part;
  const retry = isPassingFailure ? [context('Open Home again to retry.')] : [];
  return { why: why.text, blocks: [...heading(''), ...why.blocks.slice(0, 2), ...retry] };
}

/** That nothing is posted on a schedule, for those who wait for something and those who can end it. */
function pausedBlocks({ who, scheduled }: HomeContent): readonly MessageBlock[] {
  if (scheduled.state !== 'known' || !scheduled.value.isPaused) return [];
  const { digests, watches } = scheduled.value;
  const isAdmin = who.state === 'known' && who.value.kind === 'known' && who.value.admin;
  return isAdmin || digests.length + watches.length > 0 ? [section(pausedLine(isAdmin))] : [];
}

/** A greeting with what people do from here; on the first visit three things to try instead. */
function greetingBlocks({ isFirst, who, facts, sync }: HomeContent): readonly MessageBlock[] {
  const name = who.state === 'known' && who.value.kind === 'known' ? `, ${nameText(who.value.name)}` : '';
  const { exampleKey = null, ground = null } = facts.state === 'known' ? facts.value : {};
  if (facts.state === 'known' && exampleKey === null) {
    const how =
      sync.state === 'known' && sync.value !== null
        ? '`/tis status` shows how far the sync is.'
        : 'Ask an admin, or import some with `npx dwell import FILE`.';
    return [section(`*Hello${name}!*\nYou can't see any issue here yet. ${how}`)];
  }
  if (isFirst && exampleKey !== null && ground !== null) {
    const project = projectKeyOf({ key: exampleKey });
    const tries = [
      ['Time in status of an issue', `/tis ${exampleKey}`],
      ['How last week went', `/tis weekly ${project}`],
      ['What is stuck', `/tis aging ${project}`],
    ] as const;
    return [
      section(
        `*Welcome${name}!*\nSee how long work spends in each status. Three things to try; answers come in *Messages*, only visible to you:`,
      ),
      ...tries.map(([title, line]) =>
        section(`${title}   \`${escapeMrkdwn(line)}\``, button('Run', 'run-line', line)),
      ),
    ];
  }
  return [
    section(`*Hello${name}!* Ask about an issue, a project or a week; only you see the answers.`),
    actions(
      button('Ask', 'open-builder', 'usual', 'primary'),
      button('Schedule', 'run-line:schedule', '/tis digest new'),
      button('Set cover', 'run-line:cover', '/delegates set'),
    ),
  ];
}

/** The footer: how fresh the data is, who they are in the tracker, and which hours count, as far as it is known. */
function footText({ at, who, facts, sync }: HomeContent): string {
  const status = sync.state === 'known' ? sync.value : null;
  const known = who.state === 'known' && who.value.kind === 'known' ? who.value : null;
  // The progress of an initial sync comes first on the tab, so it is left out here.
  const synced =
    status === null ? [] : syncLines(status, at, known?.admin === true).slice(status.filled ? 0 : 1);
  const ground = facts.state === 'known' ? facts.value.ground : null;
  const fresh =
    ground === null || status !== null || ground.dataAsOf === null
      ? []
      : [`Data as of ${momentText(ground.dataAsOf, at, marked)}`];
  const line = [
    ...fresh,
    ...(ground?.tracker === 'sample' ? ['Sample data of a fictional company'] : []),
    known === null
      ? 'Not linked to a Jira user: you see what every Dwell user can see'
      : `Linked to Jira user ${nameText(known.name)} (${nameText(known.login)})`,
    ...(facts.state === 'known' ? [hoursText(facts.value)] : []),
  ].join(' · ');
  return [...synced, line].join('\n');
}

function hoursText({ calendar, timeZone }: Facts): string {
  const hours = calendar === null ? 'hours 24/7' : `working hours ${nameText(calendar)}`;
  return `${hours}, ${nameText(timeZone)}`;
}
