import { millisecondsInDay } from 'date-fns/constants';
import type { FieldValue } from '../../model/issue.ts';
import type { Birth } from './birth.ts';
import type { ProjectKey } from './people.ts';
import type { Choices, Random } from './random.ts';
import { type Setting, SPRINT, STORY_POINTS, setLabels, setPlain, setValue, setValues } from './settings.ts';
import { writeSummary } from './summary.ts';

/** What an issue is about, apart from its way through the workflow. */
export interface Nature {
  readonly summary: string;
  /** How it was first called; null when the reporter found the right words at once. */
  readonly vague: string | null;
  readonly priority: FieldValue;
  readonly labels: readonly string[];
  readonly component: FieldValue;
  /** `YYYY-MM-DD`. */
  readonly due: string | null;
}

export const priorities: readonly [FieldValue, ...FieldValue[]] = [
  { id: '2', name: 'High' },
  { id: '3', name: 'Medium' },
  { id: '4', name: 'Low' },
];
const highest: FieldValue = { id: '1', name: 'Highest' };

type Words = readonly [string, ...string[]];

const labels: Readonly<Record<ProjectKey, Words>> = {
  WEB: ['checkout', 'search', 'performance', 'accessibility', 'customer-feedback', 'tech-debt', 'legal'],
  APP: ['android', 'ios', 'offline', 'notifications', 'crash', 'tech-debt', 'store-review'],
  OPS: ['access', 'network', 'backup', 'billing', 'hardware', 'certificate', 'follow-up'],
};

const components: Readonly<Record<ProjectKey, readonly [FieldValue, ...FieldValue[]]>> = {
  WEB: [
    { id: '10101', name: 'Basket' },
    { id: '10102', name: 'Catalogue' },
    { id: '10103', name: 'Checkout' },
    { id: '10104', name: 'Customer account' },
    { id: '10105', name: 'Content pages' },
  ],
  APP: [
    { id: '10201', name: 'Sign-in' },
    { id: '10202', name: 'Browsing' },
    { id: '10203', name: 'Ordering' },
    { id: '10204', name: 'Notifications' },
  ],
  OPS: [
    { id: '10301', name: 'Workplace' },
    { id: '10302', name: 'Servers' },
    { id: '10303', name: 'Warehouse systems' },
    { id: '10304', name: 'Payments' },
  ],
};

/** Ids of the types of issues, none of which is one of sub-tasks. */
export const typeIds = {
  Story: '10001',
  Task: '10002',
  Bug: '10004',
  Incident: '10005',
  'Service Request': '10006',
};

/** The labels a project uses. */
export function labelsOf(project: ProjectKey): Words {
  return labels[project];
}

/** Draws what an issue is about; `used` holds the summaries there are already, and gets this one. */
export function drawNature(birth: Birth, used: Set<string>, random: Random): Nature {
  const { summary, subject } = writeSummary(birth.project, birth.type, used, random);
  const vague = birth.type === 'Bug' && random.chance(0.16) ? `${subject} broken` : null;
  const priority = birth.urgent ? highest : random.weigh(byImportance);
  const count = random.weigh([
    [0, 50],
    [1, 38],
    [2, 12],
  ]);
  const chosen = Array.from({ length: count }, () => random.pick(labels[birth.project]));
  const component = random.pick(components[birth.project]);
  const dated = random.chance(birth.type === 'Service Request' ? 0.35 : 0.08);
  const due = new Date(birth.at + random.whole(4, 30) * millisecondsInDay).toISOString().slice(0, 10);
  return { summary, vague, priority, labels: [...new Set(chosen)], component, due: dated ? due : null };
}

const byImportance: Choices<FieldValue> = [
  [{ id: '3', name: 'Medium' }, 58],
  [{ id: '2', name: 'High' }, 20],
  [{ id: '4', name: 'Low' }, 17],
  [{ id: '5', name: 'Lowest' }, 5],
];

/** The fields with which the issue is created, status and assignee left out. */
export function firstSettings(birth: Birth, nature: Nature, reporter: FieldValue): Setting[] {
  return [
    setPlain('summary', nature.vague ?? nature.summary),
    setValue('reporter', reporter),
    setValue('issuetype', { id: typeIds[birth.type], name: birth.type }),
    setValue('priority', nature.priority),
    setLabels(nature.labels),
    setValues('components', [nature.component]),
    setValues('fixVersions', []),
    setValue('resolution', null),
    setPlain('duedate', nature.due),
    setValues(SPRINT, []),
    setPlain(STORY_POINTS, null),
  ];
}
