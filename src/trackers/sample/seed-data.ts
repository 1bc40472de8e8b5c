import { z } from 'zod';
import type { Group } from '../../model/directory.ts';
import type { FieldValue, Status, User } from '../../model/issue.ts';
import company from './company.json' with { type: 'json' };
import phraseGrids from './phrases.json' with { type: 'json' };
import workflowSteps from './workflows.json' with { type: 'json' };

const some = <T extends z.ZodType>(item: T) => z.tuple([item], item);
const choices = some(z.tuple([z.string(), z.number()]));
const value = z.object({ id: z.string(), name: z.string() });
const projectKey = z.enum(['WEB', 'APP', 'OPS']);
const officeName = z.enum(['Berlin', 'New York']);
const issueType = z.enum(['Story', 'Task', 'Bug', 'Incident', 'Service Request']);
const duty = z.enum(['lead', 'maker', 'tester']);
const role = z.enum(['maker', 'reviewer', 'tester', 'lead', 'on call', 'reporter', 'automation']);

const seedData = z
  .object({
    name: z.string(),
    people: some(z.object({ name: z.string(), office: officeName, project: projectKey, duty })),
    offices: z.record(
      officeName,
      z.object({
        timeZone: z.string(),
        /** ISO weekdays, and minutes from local midnight. */
        shifts: z.array(z.object({ weekday: z.number(), from: z.number(), until: z.number() })),
        /** A date, days from Easter Sunday, or days after the first Monday from a date on. */
        holidays: z.array(
          z.union([
            z.object({ name: z.string(), month: z.number(), day: z.number() }),
            z.object({ name: z.string(), easter: z.number() }),
            z.object({
              name: z.string(),
              month: z.number(),
              mondayFrom: z.number(),
              plus: z.number().default(0),
            }),
          ]),
        ),
      }),
    ),
    statuses: z.array(
      z.object({
        ...value.shape,
        category: z.enum(['To Do', 'In Progress', 'Done']),
        deleted: z.boolean(),
        scope: z.string().exactOptional(),
      }),
    ),
    priorities: some(z.object({ ...value.shape, weight: z.number() })),
    issueTypes: z.record(issueType, z.string()),
    resolutions: z.record(z.string(), z.string()),
    /** `perDay`: issues that a working day brings on average. */
    projects: z.record(
      projectKey,
      z.object({
        ...value.shape,
        perDay: z.number(),
        types: some(z.tuple([issueType, z.number()])),
        labels: some(z.string()),
        components: some(value),
      }),
    ),
    categories: z.array(z.object({ id: z.number(), name: z.string(), description: z.string() })),
    /** What is arranged again every so many months, from one day of a month to another in Berlin. */
    standing: z.array(
      z.object({
        slot: z.number(),
        everyMonths: z.number(),
        fromDay: z.number(),
        until: z.object({ monthsLater: z.number(), day: z.number() }),
        delegator: z.string(),
        delegates: z.array(z.string()),
        category: z.number(),
        active: z.boolean(),
        notes: z.string(),
      }),
    ),
    vacationNotes: some(z.string()),
    fields: z.array(value),
    filters: z.array(z.object({ ...value.shape, jql: z.string(), owner: z.string(), shared: z.boolean() })),
    parameterSets: z.array(
      z.object({ ...value.shape, ownerId: z.string(), parameters: z.record(z.string(), z.unknown()) }),
    ),
  })
  .parse(company);

export const { name: companyName, offices: officeSeeds, projects, categories, filters, fields } = seedData;
export const { issueTypes, priorities, resolutions, standing, vacationNotes, parameterSets } = seedData;

/** Every status any history mentions, the deleted one included. */
export const statuses: readonly Status[] = seedData.statuses;

export type ProjectKey = z.output<typeof projectKey>;
export type OfficeName = z.output<typeof officeName>;
export type IssueType = z.output<typeof issueType>;
/** Who works in a step and makes the change that leaves it. */
export type Role = z.output<typeof role>;

/** Somebody of the company; `id` is the login and what changes name. */
export type Person = (typeof seedData.people)[0] & { readonly id: string };

const [head, ...others] = seedData.people;
const person = (one: typeof head): Person => ({ ...one, id: one.name.toLowerCase() });

/** Everybody, each in one office and one team. */
export const people: readonly [Person, ...Person[]] = [person(head), ...others.map(person)];

/** What acts at night and on behalf of customers; it has no office hours and is never away. */
export const automation: FieldValue = { id: 'automation', name: 'Automation' };

/** Everybody who can sign in, and the automation, which cannot. */
export const users: readonly User[] = [
  ...people.map(({ id, name, office }) => ({
    id,
    name,
    email: `${id}@example.com`,
    ...(id === 'ada' ? { admin: true } : {}),
    timeZone: officeSeeds[office].timeZone,
  })),
  automation,
];

const values = new Map(people.map(({ id, name }) => [id, { id, name }]));

/** The person as content of a field. */
export const personValue = (id: string): FieldValue => values.get(id) ?? automation;

/** People of one team who have one of the duties, in the order of the company's list. */
export function teamOf(project: ProjectKey, ...duties: readonly Person['duty'][]): Person[] {
  return people.filter((one) => one.project === project && duties.includes(one.duty));
}

/** The team of a project as a group, such as `web-team`. */
export function groupOf(project: ProjectKey): Group {
  const name = `${project.toLowerCase()}-team`;
  return { id: name, name, members: teamOf(project, 'lead', 'maker', 'tester').map(({ id }) => id) };
}

const spread = z.object({ median: z.number(), sigma: z.number() });
const statusById = new Map(statuses.map((status) => [status.id, status]));

/** A stay in a status and what may follow; several steps can share a status. */
const step = z.object({
  status: z.string().transform((id) => statusById.get(id) ?? z.NEVER),
  by: role,
  /** Time (ms, log-normal) that passes day and night before anybody looks at it. */
  rest: spread.optional(),
  /** An appointment that leaving it has to wait for. */
  gate: z.enum(['sprint', 'release', 'night']).optional(),
  /** Time of the acting person's own working hours; plain time for who is on call, a reporter or automation. */
  work: spread.optional(),
  /** Likelihood that whoever has the role of this step also becomes the assignee on entering it. */
  takes: z.number().optional(),
  /** Entering it takes the issue from whoever had it. */
  frees: z.boolean().optional(),
  /** How the issue ends if this step resolves it. */
  resolutions: choices.optional(),
  /** The step to use instead, once the web team has given up the status. */
  replacedBy: z.string().optional(),
  /** Names of the steps that may follow; none: the story is over. */
  next: choices.optional(),
});

export type Step = z.output<typeof step>;

/** The ways of a project's issues; `starts` names the steps in which they may be created. */
export const workflows = z
  .record(
    projectKey,
    z.object({ starts: choices, urgentStart: z.string(), steps: z.record(z.string(), step) }),
  )
  .parse(workflowSteps);

/** Columns of phrases by project and type: one of each, joined by spaces, makes a summary; tasks lend theirs. */
const grids = some(some(some(z.string())));
const ways = z.object({
  Task: grids,
  Story: grids.optional(),
  Bug: grids.optional(),
  Incident: grids.optional(),
  'Service Request': grids.optional(),
});
export const phrases = z.record(projectKey, ways).parse(phraseGrids);
