import { readFileSync } from 'node:fs';
import type { Directory } from '../../model/directory.ts';
import type { Status, User } from '../../model/issue.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type companyFile from './company.json';
import type phrasesFile from './phrases.json';
import type stepsFile from './workflows.json';

type Company = typeof companyFile;
export type ProjectKey = keyof Company['projects'];
export type OfficeName = keyof Company['offices'];
export type HolidayRule = Company['offices']['Berlin']['holidays'][number];
/** Values and their weights, which need not sum up to anything. */
export type Choices<T> = readonly { readonly value: T; readonly weight: number }[];

type Office = Omit<CalendarDefinition, 'holidays'> & { readonly holidays: readonly HolidayRule[] };
type Phrases = (typeof phrasesFile)['WEB']['Task'];

interface TypedCompany
  extends Omit<Company, 'directory' | 'offices' | 'parameterSets' | 'statuses' | 'users' | 'people'> {
  /** What never changes; only the service desk's own people see what is confidential. */
  readonly directory: Pick<Directory, 'filters' | 'groups' | 'fields' | 'issueTypes' | 'access'>;
  readonly offices: Readonly<Record<OfficeName, Office>>;
  readonly parameterSets: readonly Omit<ParameterSet, 'createdAt' | 'updatedAt'>[];
  readonly people: readonly (Company['people'][number] & {
    project: ProjectKey;
    office: 'Berlin' | 'New York';
  })[];
  /** Every status any history mentions, the deleted one included. */
  readonly statuses: readonly Status[];
  /** Everybody who can sign in, and the automation, which cannot. */
  readonly users: readonly User[];
}

/**
 * A stay in a status and what may follow; several steps can share a status. `by` works in it and makes the change that
 * leaves it. `rest` passes day and night before anybody looks at it; `work` is of the actor's own working hours, plain
 * time for who is on call, a reporter or automation. `gate` is an appointment that leaving waits for, `takes` how likely
 * the actor becomes the assignee on entering, which `frees` takes the issue from its assignee. `replacedBy` is used
 * instead once the web team has given up the status; without a `next` the story is over.
 */
export type Step = (typeof stepsFile)[number];

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

export const company = read<TypedCompany>('company.json');
export const steps = read<readonly Step[]>('workflows.json');
/** Columns of phrases by project and type of issue: one of each, joined by spaces, makes a summary. */
export const phrases = read<Readonly<Record<ProjectKey, Record<string, Phrases>>>>('phrases.json');
