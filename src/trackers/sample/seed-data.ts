import { readFileSync } from 'node:fs';
import type { Directory } from '../../model/directory.ts';
import type { FieldValue, Status, User } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type companyFile from './company.json';

type CompanyFile = typeof companyFile;
export type ProjectKey = keyof CompanyFile['projects'];
export type OfficeName = keyof CompanyFile['offices'];
/** Values and their weights, which need not sum up to anything. */
export type Choices<T> = readonly { readonly value: T; readonly weight: number }[];

/** Somebody of the company; `id` is the login and what changes name. */
export interface Person extends FieldValue {
  readonly office: Exclude<OfficeName, 'Service desk'>;
  readonly project: ProjectKey;
  readonly duty: 'lead' | 'maker' | 'tester';
}

/** A date, days from Easter Sunday, or days after the first Monday from a date on. */
export type HolidayRule = { readonly name: string } & (
  | { readonly month: number; readonly day: number }
  | { readonly easter: number }
  | { readonly month: number; readonly mondayFrom: number; readonly plus: number }
);

type Office = Omit<CalendarDefinition, 'holidays'> & { readonly holidays: readonly HolidayRule[] };

interface Company extends Omit<CompanyFile, 'directory' | 'offices' | 'people' | 'statuses' | 'users'> {
  /** What never changes; only the service desk's own people see what is confidential. */
  readonly directory: Pick<Directory, 'filters' | 'groups' | 'fields' | 'issueTypes' | 'access'>;
  readonly offices: Readonly<Record<OfficeName, Office>>;
  readonly people: readonly Person[];
  /** Every status any history mentions, the deleted one included. */
  readonly statuses: readonly Status[];
  /** Everybody who can sign in, and the automation, which cannot. */
  readonly users: readonly User[];
}

/** Log-normal time in ms. */
export interface Spread {
  readonly median: number;
  readonly sigma: number;
}

/** A stay in a status and what may follow; several steps can share a status. */
export interface Step {
  readonly status: FieldValue;
  readonly category: Status['category'];
  /** Who works in it and makes the change that leaves it. */
  readonly by: 'maker' | 'reviewer' | 'tester' | 'lead' | 'on call' | 'reporter' | 'automation';
  /** Passes day and night before anybody looks at it. */
  readonly rest?: Spread;
  /** An appointment that leaving it has to wait for. */
  readonly gate?: 'sprint' | 'release' | 'night';
  /** Of the acting person's own working hours; plain time for who is on call, a reporter or automation. */
  readonly work?: Spread;
  /** Likelihood that the one with the role of this step also becomes the assignee on entering it. */
  readonly takes?: number;
  /** Entering it takes the issue from its assignee. */
  readonly frees?: boolean;
  /** How the issue ends if this step resolves it. */
  readonly resolutions?: Choices<FieldValue>;
  /** The step to use instead, once the web team has given up the status. */
  readonly replacedBy?: string;
  /** Names of the steps that may follow; none: the story is over. */
  readonly next?: Choices<string>;
}

/** The ways of a project's issues; `starts` names the steps in which they may be created. */
interface Workflow {
  readonly starts: Choices<string>;
  readonly urgentStart: string;
  readonly steps: Readonly<Record<string, Step>>;
}

/** Columns of phrases by type of issue: one of each, joined by spaces, makes a summary; tasks lend theirs. */
interface Phrases {
  readonly Task: readonly (readonly (readonly string[])[])[];
  readonly [type: string]: Phrases['Task'] | undefined;
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

export const company = read<Company>('company.json');
export const workflows = read<Readonly<Record<ProjectKey, Workflow>>>('workflows.json');
export const phrases = read<Readonly<Record<ProjectKey, Phrases>>>('phrases.json');
