import { z } from 'zod';
import { knownLogins } from '../../api/people/logins.ts';
import { type CategoryId, GENERAL, type TimeSpan } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { readSpan, spanParameters } from '../../parameters/coverage-span.ts';
import { instant, text } from '../../parameters/parameter.ts';
import { isoText } from '../../time/date-text.ts';
import { zonedText } from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const person = z.object({ user: z.string(), name: z.string() }).meta({ id: 'Person' });

/** What people are called, by login. */
async function namesOf({ people }: Pick<ToolContext, 'people'>) {
  const users = await people.users();
  const { idNamed, nameOf } = knownLogins(users);
  const personOf = (login: string): z.output<typeof person> => ({
    user: login,
    name: users.get(idNamed(login))?.name ?? login,
  });
  return { personOf, nameOf };
}

const personText = ({ user, name }: z.output<typeof person>) => (name === user ? user : `${name} (${user})`);
const peopleText = (people: readonly z.output<typeof person>[]) => people.map(personText).join(', ');

const whoCovers = defineTool({
  name: 'who_covers',
  title: 'Who covers for a person',
  description:
    'Who covers for a person in a category of work at a time (now by default), and the people that person covers for.',
  takesLong: false,
  parameters: z.object({
    user: text.optional().meta({ description: 'User name (login or id) of the person; without it you.' }),
    category: text.default(GENERAL).meta({
      description: 'general, or the name of a category; a named one is covered by general as well.',
    }),
    at: instant.optional().meta({ description: 'The time to look at, in ISO 8601 with an offset.' }),
  }),
  output: z.object({
    person,
    category: z.string(),
    at: z.iso.datetime(),
    timeZone: z.string(),
    coveredBy: z.array(person).meta({ description: 'In the order in which they are to be asked.' }),
    covers: z.array(person).meta({ description: 'The people this person covers for.' }),
  }),
  async answer({ user, category, at }, context) {
    const { delegations, principal, timeZone, now } = context;
    const { personOf, nameOf } = await namesOf(context);
    const question = { principal, person: user ?? nameOf(principal.account), category, asOf: at ?? now() };
    const delegates = await delegations.delegatesOf(question);
    const delegators = await delegations.delegatorsOf(question);
    const content = {
      person: personOf(delegates.person),
      category: delegates.category,
      at: isoText(delegates.asOf),
      timeZone,
      coveredBy: delegates.others.map(personOf),
      covers: delegators.others.map(personOf),
    };
    const who = personText(content.person);
    // Cover of another category may be there all the same.
    const within = `in the category ${content.category}`;
    const { text: said } = answerText(
      [
        content.coveredBy.length === 0
          ? `No one covers for ${who} ${within}.`
          : `Covered by: ${peopleText(content.coveredBy)}${content.coveredBy.length > 1 ? ', to be asked in this order' : ''}. Away: ${who}.`,
        content.covers.length === 0
          ? `${who} covers for no one ${within}.`
          : `${who} covers for ${peopleText(content.covers)}.`,
      ],
      [],
      [`Category: ${content.category}. At: ${zonedText(delegates.asOf, { timeZone })} (${timeZone}).`],
    );
    return { content, text: said };
  },
});

const span = { from: z.iso.datetime(), until: z.iso.datetime() };
const delegation = z.object({
  ...{ id: z.int(), person, delegates: z.array(person), categories: z.array(z.string()), ...span },
});
const MOST_ENTRIES = 200;

const coverage = defineTool({
  name: 'coverage',
  title: 'Cover in a span of time',
  description:
    'Who covers for each person in a span of time (this week by default), where cover is missing and why, and where a delegate is away too. Without the right to view all, only what concerns you.',
  takesLong: false,
  parameters: z.object(spanParameters),
  output: z.object({
    timeZone: z.string(),
    ...span,
    delegations: z.array(delegation),
    uncovered: z.array(z.object({ person, category: z.string(), reason: z.string(), ...span })),
    awayToo: z.array(
      z.object({
        ...{ person, delegate: person, category: z.string(), ...span },
        covers: z
          .array(person)
          .nullable()
          .meta({ description: 'Who covers then; null: not visible to you.' }),
      }),
    ),
    ending: z
      .array(z.int())
      .meta({ description: 'Ids of delegations that end in the span, none following.' }),
    notes: z.array(z.string()),
  }),
  async answer(asked, context) {
    const { delegations, principal, timeZone, now } = context;
    const found = await delegations.coverage(principal, readSpan(asked, now(), timeZone));
    const named = new Map<CategoryId, string>(
      (await delegations.categories(principal)).map(({ id, name }) => [id, name]),
    );
    const category = (id: CategoryId) => named.get(id) ?? (id === null ? GENERAL : String(id));
    const { personOf } = await namesOf(context);
    const spanOf = ({ from, until }: TimeSpan) => ({ from: isoText(from), until: isoText(until) });
    const some = <Thing>(things: readonly Thing[]) => things.slice(0, MOST_ENTRIES);
    const more = [found.delegations, found.uncovered, found.awayToo].some((all) => all.length > MOST_ENTRIES);
    const content = {
      timeZone,
      ...spanOf(found.span),
      delegations: some(found.delegations).map((one) => ({
        ...{ id: one.id, person: personOf(one.delegator), delegates: one.delegates.map(personOf) },
        categories: one.categoryIds.length === 0 ? [GENERAL] : one.categoryIds.map(category),
        ...{ from: isoText(one.start), until: isoText(one.end) },
      })),
      uncovered: some(found.uncovered).map((one) => ({
        ...{ person: personOf(one.person), category: category(one.categoryId), reason: one.reason },
        ...spanOf(one),
      })),
      awayToo: some(found.awayToo).map((one) => ({
        ...{ person: personOf(one.person), delegate: personOf(one.delegate), ...spanOf(one) },
        category: category(one.categoryId),
        covers: one.standIns?.map(personOf) ?? null,
      })),
      ending: some(found.ending).map(({ id }) => id),
      notes: more ? [`Only the first ${MOST_ENTRIES} of each list are here. Try: a shorter span.`] : [],
    };
    const at = (time: string | Instant) =>
      zonedText(typeof time === 'string' ? Date.parse(time) : time, { timeZone });
    const within = (one: { readonly from: string; readonly until: string }) => [at(one.from), at(one.until)];
    const { text: said } = answerText(
      [
        `Cover from ${at(found.span.from)} to ${at(found.span.until)} (${timeZone}): delegations: ${found.delegations.length}, stretches without cover: ${found.uncovered.length}.`,
        ...content.notes,
      ],
      [
        {
          title: 'Delegations',
          columns: ['Person', 'Covered by', 'Categories', 'From', 'Until'],
          rows: content.delegations.map((one) => [
            ...[personText(one.person), peopleText(one.delegates), one.categories.join(', '), ...within(one)],
          ]),
        },
        {
          title: 'No one covers',
          columns: ['Person', 'Category', 'From', 'Until', 'Why'],
          rows: content.uncovered.map((one) => [
            ...[personText(one.person), one.category, ...within(one), reasons[one.reason]],
          ]),
        },
        {
          title: 'The delegate is away too',
          columns: ['Person', 'Delegate', 'Category', 'From', 'Until', 'Who covers instead'],
          rows: content.awayToo.map((one) => [
            ...[personText(one.person), personText(one.delegate), one.category, ...within(one)],
            one.covers === null ? 'not visible to you' : peopleText(one.covers) || 'no one',
          ]),
        },
      ],
      ['Until is not included.'],
    );
    return { content, text: said };
  },
});

const reasons = {
  loop: 'all delegates are away in a circle',
  gap: 'one delegation ended and the next had not begun',
  unknown: 'the delegate is not a user the tracker knows',
};

/** The tools about cover for people who are away. */
export const coverTools = [whoCovers, coverage];
