import { millisecondsInSecond } from 'date-fns/constants';
import { z } from 'zod';
import { foldedName } from '../issues/ids-and-names.ts';
import { type Category, type Delegation, GENERAL } from '../model/delegation.ts';
import { readInstant } from '../time/iso-dates.ts';

/** The service means whole seconds, whatever it writes. */
const instant = z.string().transform((text, context) => {
  const read = readInstant(text);
  if (read !== null) return Math.floor(read.instant / millisecondsInSecond) * millisecondsInSecond;
  context.addIssue({ code: 'custom', message: 'no date and time with an offset' });
  return z.NEVER;
});

const digits = z.string().regex(/^\d{1,15}$/);

/** Numbers come as such or as text, depending on the version. */
const wholeNumber = z.union([z.int(), digits.transform(Number)]);

/** An empty name could not be asked about. */
const name = z.string().regex(/\S/);

const people = z.array(name);

/** Answer of `getDelegates`. */
export const delegatesAnswer = z
  .object({ delegator: name, asOf: instant, category: name, delegates: people })
  .transform(({ delegator, delegates, ...same }) => ({ ...same, person: delegator, others: delegates }));

/** Answer of `getDelegators`. */
export const delegatorsAnswer = z
  .object({ delegate: name, asOf: instant, category: name, delegators: people })
  .transform(({ delegate, delegators, ...same }) => ({ ...same, person: delegate, others: delegators }));

/** A delegation; no categories means `general`. */
export const delegationAnswer = z
  .object({
    delegationId: wholeNumber,
    version: wholeNumber,
    active: z.boolean(),
    delegator: name,
    delegates: people,
    categoryIds: z.array(wholeNumber).nullish(),
    startDate: instant,
    endDate: instant,
    notes: z.string().nullish(),
  })
  .transform(({ delegationId: id, startDate: start, endDate: end, ...same }): Delegation => {
    return { ...same, id, start, end, categoryIds: same.categoryIds ?? [], notes: same.notes ?? '' };
  });

const category = z
  .object({
    id: wholeNumber,
    // In lists, where names are compared, `general` is written so.
    name: name.transform((text) => (foldedName(text) === GENERAL ? GENERAL : text)),
    description: z.string().nullish(),
  })
  .transform(({ description, ...same }): Category => ({ ...same, description: description ?? '' }));

/** Entries of a list from some index on, and how many there are altogether. */
export interface PageAnswer<Entry> {
  readonly values: readonly Entry[];
  readonly total: number;
}

/** A page of delegations. */
export const delegationsAnswer = pageOf(delegationAnswer);

/** All categories or a page of them: no document shows this list. */
export const categoriesAnswer = z.preprocess(
  (answer) => (Array.isArray(answer) ? { values: answer } : answer),
  pageOf(category),
);

function pageOf<Entry extends z.ZodType>(entry: Entry) {
  return z
    .object({ total: wholeNumber.optional(), values: z.array(entry) })
    .transform(
      ({ total, values }): PageAnswer<z.output<Entry>> => ({ values, total: total ?? values.length }),
    );
}
