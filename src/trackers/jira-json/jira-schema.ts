import { z } from 'zod';
import { withEnds } from './item-ends.ts';
import { parseInstant } from './parse-instant.ts';
import { idText, jiraPerson, optionalText, readPerson, statusShape } from './read-references.ts';

/**
 * As much of Jira's REST answers as is read here, Cloud and Data Center alike. Members that may be absent, null or
 * of another type in old exports are tolerated; what an issue cannot do without is required.
 */

// `toString` is read by own property only: when the key is absent, every object still has a function of that name.
const item = z
  .preprocess(
    (raw) =>
      raw !== null && typeof raw === 'object'
        ? {
            ...raw,
            field: Reflect.get(raw, 'field') ?? Reflect.get(raw, 'fieldId'),
            toText: Object.hasOwn(raw, 'toString') ? Reflect.get(raw, 'toString') : null,
          }
        : raw,
    z.object({
      field: z.string(),
      fieldtype: optionalText,
      fieldId: optionalText,
      from: idText.nullish(),
      fromString: optionalText,
      to: idText.nullish(),
      toText: optionalText,
    }),
  )
  .transform(withEnds);
export type JiraItem = z.output<typeof item>;

/**
 * An entry of a changelog. `by`: its author; `at`: when it was written, null where `created` is no instant; `unread`: how
 * many of its items cannot be read, itself where it has no list of them.
 */
export const jiraHistory = z
  .object({
    id: idText.nullish(),
    author: jiraPerson.catch(null),
    created: z.union([z.string(), z.number()]),
    items: z.array(item.nullable().catch(null)).nullish().catch(null),
  })
  .transform(({ items, ...entry }) => {
    const read = (items ?? []).filter((one) => one !== null);
    const unread = items ? items.length - read.length : 1;
    return { ...entry, by: readPerson(entry.author), at: parseInstant(entry.created), items: read, unread };
  });
export type JiraHistory = z.output<typeof jiraHistory>;

const changelog = z.object({
  startAt: z.number().nullish(),
  maxResults: z.number().nullish(),
  total: z.number().nullish(),
  histories: z.array(jiraHistory),
});
export type JiraChangelog = z.output<typeof changelog>;

/** One issue of a search answer. `fields` in the order in which they are kept: those that are known here come first. */
export const jiraIssue = z.object({
  id: idText.nullish(),
  key: z.string().regex(/^[A-Z][A-Z0-9_]*-\d+$/i),
  self: optionalText,
  fields: z.looseObject({
    summary: optionalText,
    created: z.union([z.string(), z.number()]),
    updated: z.union([z.string(), z.number()]).nullish(),
    resolutiondate: z.union([z.string(), z.number()]).nullish(),
    status: statusShape,
    project: z.object({ id: idText.nullish(), key: optionalText, name: optionalText }).nullish().catch(null),
    assignee: jiraPerson.catch(null),
    reporter: jiraPerson.catch(null),
  }),
  changelog: changelog.nullish(),
});
export type JiraIssue = z.output<typeof jiraIssue>;

/** The state of an issue, as far as the requested fields have it: undefined where they do not. */
export const jiraStanding = z.object({
  status: statusShape.optional().catch(undefined),
  assignee: jiraPerson.catch(undefined),
});

/**
 * One entry of Jira's list of statuses (`/rest/api/2/status`). Only the category distinguishes it from an entry of the
 * lists of priorities, resolutions or issue types, which must not pass for the tracker's statuses.
 */
export const jiraStatus = statusShape.extend({ id: idText, statusCategory: z.object({ key: z.string() }) });

/** One entry of Jira's list of people; nothing else is called by a `displayName`. */
export const jiraUser = jiraPerson
  .unwrap()
  .unwrap()
  .extend({
    displayName: z.string(),
    groups: z
      .object({
        size: z.number().nullish().catch(null),
        items: z.array(z.object({ name: z.string(), groupId: optionalText })),
      })
      .nullish()
      .catch(null),
  });

/** A group with its people (`expand=users`). */
export const jiraGroup = z.object({
  name: optionalText,
  groupId: optionalText,
  users: z.object({ items: z.array(jiraPerson) }),
});

/** A saved filter. */
export const jiraFilter = z.object({
  id: idText,
  name: z.string(),
  jql: z.string(),
  owner: jiraPerson.catch(null),
  sharePermissions: z
    .array(z.object({ type: optionalText }).nullable().catch(null))
    .nullish()
    .catch(null),
});

/** One entry of Jira's list of fields: only there something says that it is custom or not, or what schema it has. */
export const jiraField = z
  .object({
    id: z.string(),
    name: z.string(),
    untranslatedName: optionalText,
    schema: z.object({ custom: optionalText }).nullish().catch(null),
  })
  .and(z.union([z.object({ custom: z.boolean() }), z.object({ schema: z.object({ type: z.string() }) })]));
