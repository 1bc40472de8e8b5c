import type { FieldValue, User } from '../../model/issue.ts';
import { type OfficeName, officeZones } from './office.ts';

export const companyName = 'Kettle & Fern';

export type ProjectKey = 'WEB' | 'APP' | 'OPS';

/** Somebody of the company; `id` is the login and what changes name. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly office: OfficeName;
  readonly project: ProjectKey;
  readonly duty: 'lead' | 'maker' | 'tester';
}

const person = (
  name: string,
  office: OfficeName,
  project: ProjectKey,
  duty: Person['duty'] = 'maker',
): Person => ({ id: name.toLowerCase(), name, office, project, duty });

/** Everybody, each in one office and one team. */
export const people: readonly [Person, ...Person[]] = [
  person('Ada', 'Berlin', 'WEB', 'lead'),
  person('Bob', 'New York', 'WEB'),
  person('Carl', 'Berlin', 'WEB'),
  person('Dora', 'Berlin', 'WEB'),
  person('Faye', 'New York', 'WEB'),
  person('Emil', 'Berlin', 'WEB', 'tester'),
  person('Gina', 'New York', 'WEB', 'tester'),
  person('Kira', 'New York', 'APP', 'lead'),
  person('Hugo', 'Berlin', 'APP'),
  person('Iris', 'Berlin', 'APP'),
  person('Jack', 'New York', 'APP'),
  person('Pete', 'New York', 'APP'),
  person('Nina', 'New York', 'OPS', 'lead'),
  person('Lars', 'Berlin', 'OPS'),
  person('Mona', 'Berlin', 'OPS'),
  person('Owen', 'New York', 'OPS'),
];

/** What acts at night and on behalf of customers; it has no office hours and is never away. */
export const automation: FieldValue = { id: 'automation', name: 'Automation' };

const values = new Map(people.map(({ id, name }) => [id, { id, name }]));

/** The person as content of a field. */
export function personValue(id: string): FieldValue {
  return values.get(id) ?? automation;
}

/** People of one team who have one of the duties, in the order of the company's list. */
export function teamOf(project: ProjectKey, ...duties: readonly Person['duty'][]): Person[] {
  return people.filter((one) => one.project === project && duties.includes(one.duty));
}

/** Everybody who can sign in, and the automation, which cannot. */
export const users: readonly User[] = [
  ...people.map(({ id, name, office }) => ({
    id,
    name,
    email: `${id}@example.com`,
    ...(id === 'ada' ? { admin: true } : {}),
    timeZone: officeZones[office],
  })),
  automation,
];
