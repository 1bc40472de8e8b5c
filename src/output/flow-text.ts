import type { Blockers, NotCounted, StageKind, Target } from '../model/flow.ts';
import type { CalendarFacts } from '../model/table.ts';
import { countWords, NEVER, timeText } from './figure-words.ts';
import { percentText } from './shares.ts';
import { dayMsOf } from './wording.ts';

/** The kinds of stages in words. */
export const stageKindWords: Readonly<Record<StageKind, string>> = {
  queue: 'before the start',
  active: 'active',
  waiting: 'waiting',
  done: 'done',
};

interface ShownStages {
  readonly stages: readonly {
    readonly name: string;
    readonly kind: StageKind;
    readonly statuses: readonly { readonly name: string }[];
  }[];
  readonly start: string | null;
  readonly end: string | null;
  readonly pauses: boolean;
  readonly target: Target | null;
}

interface ShownFlow extends ShownStages {
  readonly isDefault: boolean;
  readonly blockedBy: Pick<Blockers, 'flag' | 'links'> & { readonly statuses: readonly { name: string }[] };
  readonly notCounted: NotCounted;
  readonly variants: readonly (ShownStages & { readonly issueTypes: readonly string[] })[];
  readonly unplaced: readonly { readonly name: string }[];
}

/** Says if a flow was set, in a sentence. */
export function flowOriginText({ isDefault }: Pick<ShownFlow, 'isDefault'>): string {
  return isDefault ? 'Default: by the categories of its statuses.' : 'Set for this project.';
}

/** Everything about a flow beside its stages, in lines `label: text`. */
export function flowLines(flow: ShownFlow): readonly (readonly [label: string, text: string])[] {
  const { blockedBy, notCounted, target, variants, unplaced } = flow;
  const blockers = [
    ...(blockedBy.flag ? ['a flag'] : []),
    ...(blockedBy.links ? ['a link to an open issue'] : []),
    ...blockedBy.statuses.map(({ name }) => `status ${name}`),
  ];
  const left = [
    ...notCounted.resolutions.map((name) => `resolution ${name}`),
    ...notCounted.issueTypes.map((name) => `type ${name}`),
    ...(notCounted.subtasks ? ['sub-tasks'] : []),
  ];
  return [
    ['Clock', clockText(flow)],
    ...(target === null ? [] : [['Target', flowTargetText(target)] as const]),
    ['Blocked by', listed(blockers)],
    ['Does not count', listed(left)],
    ...variants.map((one): [string, string] => [
      one.issueTypes.join(', '),
      [
        ...[one.stages.map(({ name }) => name).join(' → '), clockText(one)],
        ...(one.target === null ? [] : [flowTargetText(one.target)]),
      ].join('; '),
    ]),
    ...(unplaced.length === 0
      ? []
      : [['In no stage', `${listed(unplaced.map(({ name }) => name))}; their categories count`] as const]),
  ];
}

/** `85% within 8 days`. */
export function flowTargetText({ percent, days }: Target): string {
  return `${percent}% within ${days} ${days === 1 ? 'day' : 'days'}`;
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

/** The start and the end of the clock, such as `from In Progress to Done, never paused`. */
function clockText({ start, end, pauses }: ShownStages): string {
  const paused = pauses ? 'paused while back before the start' : 'not paused while back before the start';
  return `from ${start ?? 'a start that is unknown'} to ${end ?? 'an end that is unknown'}, ${paused}`;
}

interface ShownFigures {
  readonly finished: number;
  readonly cycleTime: { readonly medianMs: number | null };
  readonly inProgress: number;
  readonly flowEfficiency: number | null;
  readonly doubtful: number;
}

/** The figures of a preview, of now and with the change, by name. */
export function flowPreviewRows({
  now,
  draft,
  calendar,
}: {
  readonly now: ShownFigures;
  readonly draft: ShownFigures;
  readonly calendar: CalendarFacts;
}): readonly (readonly [name: string, now: string, draft: string])[] {
  const dayMs = dayMsOf(calendar);
  const row = (name: string, text: (figures: ShownFigures) => string) =>
    [name, text(now), text(draft)] as const;
  return [
    row('Finished', ({ finished }) => countWords(finished)),
    row('Median cycle time', ({ cycleTime }) => timeText(cycleTime.medianMs, dayMs)),
    row('In progress now', ({ inProgress }) => countWords(inProgress)),
    row('Flow efficiency', ({ flowEfficiency }) =>
      flowEfficiency === null ? NEVER : percentText(flowEfficiency),
    ),
    ...(now.doubtful + draft.doubtful === 0
      ? []
      : [row('Unknown if finished', ({ doubtful }) => countWords(doubtful))]),
  ];
}
