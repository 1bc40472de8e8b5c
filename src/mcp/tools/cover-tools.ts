import { z } from 'zod';
import type { DelegateQuestion } from '../../api/delegations/delegation-api.ts';
import { readSpan, spanParameters } from '../../api/parameters/dates.ts';
import { instant, text } from '../../api/parameters/parameter.ts';
import { knownLogins } from '../../api/people/logins.ts';
import { type CategoryId, GENERAL, type TimeSpan } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { isoText } from '../../time/date-text.ts';
import { answerText, zonedText } from '../answer-facts.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const person = z.object({ user: z.string(), name: z.string() }).meta({ id: 'Person' });

async function namesOf({ people }: Pick<ToolContext, 'people'>) {
  const users = await people.users();
  const { idNamed, nameOf } = knownLogins(users);
  const personOf = (login: string): z.output<typeof person> => ({
    user: login,
    name: users.get(idNamed(login))?.name ?? login,
  });
  return { personOf, nameOf };
}

const notes = z.array(z.string());

const personText = ({ user, name }: z.output<typeof person>) => (name === user ? user : `${name} (${user})`);
const peopleText = (people: readonly z.output<typeof person>[]) => people.map(personText).join(', ');

/** The delegates or delegators of a person, and the category. */
const coverer = person.extend({
  categories: z.array(z.string()).meta({ description: 'general: all of them.' }),
});

const whoCovers = defineTool({
  name: 'who_covers',
  title: 'Who covers for a person',
  description:
    'Who covers for a person at a time (now by default), and the people that person covers for: in every category of work, or in one.',
  takesLong: false,
  parameters: z.object({
    user: text.optional().meta({ description: 'User name (login or id) of the person; without it you.' }),
    category: text.optional().meta({
      description:
        'general, or the name of a category, which general covers as well; without it all of them.',
    }),
    at: instant.optional().meta({ description: 'The time to look at, in ISO 8601 with an offset.' }),
  }),
  output: z.object({
    person,
    category: z.string().nullable().meta({ description: 'Null: all of them.' }),
    at: z.iso.datetime(),
    timeZone: z.string(),
    coveredBy: z.array(coverer).meta({ description: 'In the order to ask them.' }),
    covers: z.array(coverer).meta({ description: 'The people this person covers for.' }),
    notes,
  }),
  async answer({ user, category, at }, context) {
    const { principal, timeZone, now } = context;
    const { personOf, nameOf } = await namesOf(context);
    const input = { principal, person: user ?? nameOf(principal.account), asOf: at ?? now() };
    const found = await findCover(input, category, context);
    const covererOf = ({ login, categories }: Coverer) => ({
      ...personOf(login),
      categories: [...categories],
    });
    const content = {
      person: personOf(found.person),
      category: found.category,
      at: isoText(found.asOf),
      timeZone,
      coveredBy: found.coveredBy.map(covererOf),
      covers: found.covers.map(covererOf),
      notes: [...found.notes, ...(await limitsOf(context))],
    };
    const who = personText(content.person);
    const within = found.category === null ? '' : ` in the category ${found.category}`;
    const named = (people: readonly z.output<typeof coverer>[]) =>
      people.map((one) => `${personText(one)} for ${workOf(one)}`).join(', ');
    const { text: fitted } = answerText(
      [
        content.coveredBy.length === 0
          ? `No one covers for ${who}${within}.`
          : `Covered by: ${named(content.coveredBy)}${content.coveredBy.length > 1 ? ', to be asked in this order' : ''}. Away: ${who}.`,
        content.covers.length === 0
          ? `${who} covers for no one${within}.`
          : `${who} covers for: ${content.covers.map((one) => `${personText(one)} (${workOf(one)})`).join(', ')}.`,
      ],
      [],
      [
        `Category: ${found.category ?? 'all'}. At: ${zonedText(found.asOf, { timeZone })} (${timeZone}).`,
        ...content.notes,
      ],
    );
    return { content, text: fitted };
  },
});

/** Someone by login, and the names of the categories in which they cover or are covered. */
interface Coverer {
  readonly login: string;
  readonly categories: readonly string[];
}

/** Cover of a person, in a category or (undefined) in all of them. A service without lists is called about one alone. */
async function findCover(
  input: Omit<DelegateQuestion, 'category'>,
  category: string | undefined,
  { delegations, principal }: ToolContext,
) {
  const question = { ...input, category: category ?? GENERAL };
  // The look-up decides who and what is meant, and whether the principal can know it.
  const delegates = await delegations.delegatesOf(question);
  const { person, asOf } = delegates;
  const facts = { person, asOf, category: category === undefined ? null : delegates.category };
  const lists = await Promise.all([
    delegations.coverage(principal, { from: asOf, until: asOf + 1 }),
    delegations.categories(principal),
  ]).catch((error: unknown) => {
    if (error instanceof AppError && error.reason === 'service-too-old') return null;
    throw error;
  });
  if (lists === null) {
    const delegators = await delegations.delegatorsOf(question);
    const oneOf = (login: string) => ({ login, categories: [delegates.category] });
    return {
      ...facts,
      category: delegates.category,
      coveredBy: delegates.others.map(oneOf),
      covers: delegators.others.map(oneOf),
      notes:
        category === undefined
          ? ['The delegation service has no lists, so this is the category general alone. Try: a category.']
          : [],
    };
  }
  const [{ delegations: inForce }, categories] = lists;
  const nameOf = (id: number) => categories.find((one) => one.id === id)?.name ?? String(id);
  const relevant = inForce.flatMap(({ delegator, delegates: others, categoryIds }) => {
    const names = categoryIds.length === 0 ? [GENERAL] : categoryIds.map(nameOf);
    const counted =
      facts.category === null ? names : names.filter((one) => one === GENERAL || one === facts.category);
    return counted.length === 0 ? [] : [{ delegator, others, counted }];
  });
  return {
    ...facts,
    coveredBy: merged(
      relevant
        .filter(({ delegator }) => delegator === person)
        .flatMap(({ others, counted }) => others.map((login) => ({ login, categories: counted }))),
    ),
    covers: merged(
      relevant
        .filter(({ others }) => others.includes(person))
        .map(({ delegator, counted }) => ({ login: delegator, categories: counted })),
    ),
    notes: [],
  };
}

/** Each person once, with all their categories; general covers the others. */
function merged(found: readonly Coverer[]): readonly Coverer[] {
  return [...Map.groupBy(found, ({ login }) => login)].map(([login, own]) => {
    const categories = [...new Set(own.flatMap((one) => one.categories))];
    return { login, categories: categories.includes(GENERAL) ? [GENERAL] : categories };
  });
}

const workOf = ({ categories }: { readonly categories: readonly string[] }) =>
  categories.includes(GENERAL) ? 'everything' : categories.join(', ');

/** A sentence about the records that a principal cannot see without a right. */
async function limitsOf({ delegations, principal }: ToolContext): Promise<readonly string[]> {
  const right = await delegations.rightOf(principal);
  return right === 'all' || right === 'edit'
    ? []
    : ['You see only what concerns you: your own delegations, and those that name you as a delegate.'];
}

const span = { from: z.iso.datetime(), until: z.iso.datetime() };
const delegation = z.object({
  id: z.int(),
  person,
  delegates: z.array(person),
  categories: z.array(z.string()),
  ...span,
});
const MAX_ENTRIES = 200;

const coverage = defineTool({
  name: 'coverage',
  title: 'Cover in a span of time',
  description:
    'Who covers for each person in a span of time (this week by default), where cover is missing and why, and where a delegate is away too.',
  takesLong: false,
  parameters: z.object(spanParameters),
  output: z.object({
    timeZone: z.string(),
    ...span,
    delegations: z.array(delegation),
    uncovered: z.array(z.object({ person, category: z.string(), reason: z.string(), ...span })),
    awayToo: z.array(
      z.object({
        person,
        delegate: person,
        category: z.string(),
        ...span,
        covers: z
          .array(person)
          .nullable()
          .meta({ description: 'Who covers then; null: not visible to you.' }),
      }),
    ),
    ending: z
      .array(z.int())
      .meta({ description: 'Ids of delegations that end in the span, none following.' }),
    notes,
  }),
  async answer(input, context) {
    const { delegations, principal, timeZone, now } = context;
    const found = await delegations.coverage(principal, readSpan(input, now(), timeZone));
    const named = new Map<CategoryId, string>(
      (await delegations.categories(principal)).map(({ id, name }) => [id, name]),
    );
    const category = (id: CategoryId) => named.get(id) ?? (id === null ? GENERAL : String(id));
    const { personOf } = await namesOf(context);
    const spanOf = ({ from, until }: TimeSpan) => ({ from: isoText(from), until: isoText(until) });
    const some = <Thing>(things: readonly Thing[]) => things.slice(0, MAX_ENTRIES);
    const more = [found.delegations, found.uncovered, found.awayToo].some((all) => all.length > MAX_ENTRIES);
    const content = {
      timeZone,
      ...spanOf(found.span),
      delegations: some(found.delegations).map((one) => ({
        id: one.id,
        person: personOf(one.delegator),
        delegates: one.delegates.map(personOf),
        categories: one.categoryIds.length === 0 ? [GENERAL] : one.categoryIds.map(category),
        from: isoText(one.start),
        until: isoText(one.end),
      })),
      uncovered: some(found.uncovered).map((one) => ({
        person: personOf(one.person),
        category: category(one.categoryId),
        reason: one.reason,
        ...spanOf(one),
      })),
      awayToo: some(found.awayToo).map((one) => ({
        person: personOf(one.person),
        delegate: personOf(one.delegate),
        ...spanOf(one),
        category: category(one.categoryId),
        covers: one.standIns?.map(personOf) ?? null,
      })),
      ending: some(found.ending).map(({ id }) => id),
      notes: [
        ...(more ? [`Only the first ${MAX_ENTRIES} of each list are here. Try: a shorter span.`] : []),
        ...(await limitsOf(context)),
      ],
    };
    const at = (time: string | Instant) =>
      zonedText(typeof time === 'string' ? Date.parse(time) : time, { timeZone });
    const within = (one: { readonly from: string; readonly until: string }) => [at(one.from), at(one.until)];
    const { text: fitted } = answerText(
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
    return { content, text: fitted };
  },
});

const reasons = {
  loop: 'all delegates are away in a circle',
  gap: 'one delegation ended and the next had not begun',
  unknown: 'the delegate is not a user the tracker knows',
};

/** The tools about cover for people who are away. */
export const coverTools = [whoCovers, coverage];
