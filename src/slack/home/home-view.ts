import type { HomeView } from '@slack/types';
import type { MessageBlock } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import { momentText } from '../../questions/view/foot-text.ts';
import { fillLine, syncLines, whileFilling } from '../../questions/view/sync-lines.ts';
import { marked } from '../../questions/view/wording.ts';
import { button } from '../app/message-texts.ts';
import { assignedBlocks, assignedTitle } from './assigned-section.ts';
import { coverBlocks, coverTitle } from './cover-section.ts';
import type { HomeContent, Section } from './home-content.ts';
import { scheduleBlocks, scheduleTitle } from './schedule-section.ts';
import { weekBlocks, weekTitle } from './week-section.ts';

const NAME_LENGTH = 80;

/** The Home tab: a pure view, within Slack's limits whatever there is to show. */
export function homeView(content: HomeContent): HomeView {
  const { at, who, assigned, cover, weeks, scheduled, facts, sync } = content;
  const timeZone = facts.state === 'known' ? facts.value.timeZone : null;
  const parts: readonly Part[] = [
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
    ...greetingBlocks(content),
  ];
  const shown = [top, ...parts.map((part, index) => blocksOf(part, parts.slice(0, index)))];
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

/** A part of the tab with its title, which small print has none of, and its blocks once it is known. */
interface Part {
  readonly title: string;
  readonly part: Section<unknown>;
  readonly blocks: () => readonly MessageBlock[];
}

function partOf<Value>(
  title: string,
  part: Section<Value>,
  known: (value: Value) => readonly MessageBlock[],
): Part {
  return { title, part, blocks: () => (part.state === 'known' ? known(part.value) : []) };
}

/** A part of the tab: where it failed the reason, once for all parts that failed alike. */
function blocksOf({ title, part, blocks }: Part, before: readonly Part[]): readonly MessageBlock[] {
  const heading = title === '' ? '' : `*${title}*`;
  if (part.state === 'known') return blocks();
  if (part.state === 'counting') return title === '' ? [] : [section(`${heading}\nCounting…`)];
  const { why, isPassingFailure } = part;
  if (before.some((other) => other.part.state === 'failed' && other.part.why.text === why.text)) return [];
  return [
    ...(title === '' ? [] : [section(heading)]),
    ...why.blocks.slice(0, 2),
    ...(isPassingFailure ? [context('Open Home again to retry.')] : []),
  ];
}

/** A greeting with what people do from here; on the first visit three things to try instead. */
function greetingBlocks({ isFirst, who, facts, sync }: HomeContent): readonly MessageBlock[] {
  const name = who.state === 'known' && who.value.kind === 'known' ? ` ${nameText(who.value.name)}` : '';
  const { exampleKey = null, ground = null } = facts.state === 'known' ? facts.value : {};
  if (facts.state === 'known' && exampleKey === null) {
    const how =
      sync.state === 'known' && sync.value !== null
        ? '`/tis status` shows how far the sync is.'
        : 'Ask an admin, or import some with `npm run dwell -- import FILE`.';
    return [section(`*Hello${name}!*\nYou can’t see any issue here yet. ${how}`)];
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
        `*Welcome${name}!*\nSee how long work spends in each status. Three things to try; answers come in *Messages*, for you alone:`,
      ),
      ...tries.map(([title, line]) => ({
        ...section(`${title}   \`${escapeMrkdwn(line)}\``),
        accessory: button('Run', 'run-line', line),
      })),
    ];
  }
  return [
    section(`*Hello${name}!* Ask about an issue, a project or a week; only you see the answers.`),
    {
      type: 'actions',
      elements: [
        { ...button('Ask', 'open-builder', 'usual'), style: 'primary' },
        button('Schedule', 'run-line:schedule', '/tis digest new'),
        button('Set cover', 'run-line:cover', '/delegates set'),
      ],
    },
  ];
}

/** How fresh the data is, who they are in the tracker, and which hours count, as far as it is known. */
function footText({ at, who, facts, sync }: HomeContent): string {
  const kept = sync.state === 'known' ? sync.value : null;
  const known = who.state === 'known' && who.value.kind === 'known' ? who.value : null;
  // How far an initial sync is comes first on the tab.
  const synced = kept === null ? [] : syncLines(kept, at, known?.admin === true).slice(kept.filled ? 0 : 1);
  const ground = facts.state === 'known' ? facts.value.ground : null;
  const fresh =
    ground === null || kept !== null || ground.dataAsOf === null
      ? []
      : [`Data as of ${momentText(ground.dataAsOf, at, marked)}`];
  const line = [
    ...fresh,
    ...(ground?.tracker === 'sample' ? ['Sample data of an invented company'] : []),
    known === null
      ? 'Not linked to a Jira user: you see what every Dwell user can see'
      : `Linked to Jira user ${nameText(known.name)} (${nameText(known.login)})`,
    ...(facts.state === 'known'
      ? [
          `${facts.value.calendar === null ? 'hours 24/7' : `working hours ${nameText(facts.value.calendar)}`}, ${nameText(facts.value.timeZone)}`,
        ]
      : []),
  ].join(' · ');
  return [...synced, line].join('\n');
}

function nameText(name: string): string {
  return escapeMrkdwn(shorten(name, NAME_LENGTH));
}
