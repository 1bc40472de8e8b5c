import { millisecondsInSecond } from 'date-fns/constants';
import { z } from 'zod';
import type { DelegationRecords } from '../api/delegations/delegation-api.ts';
import { createNamespace } from '../cache/namespace.ts';
import type { HttpSurroundings } from '../http-client/http-client.ts';
import {
  type Category,
  type DelegateLookup,
  type Delegation,
  type DelegationInput,
  GENERAL,
} from '../model/delegation.ts';
import { quoted } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { foldedName } from '../model/issues/ids-and-names.ts';
import { dateText, isoMinute, isoText, readInstant } from '../time/date-text.ts';
import { wallOf } from '../time/wall-clock.ts';
import { createHostedClient, type HostedRequest, type HostedService } from './hosted-client.ts';

/** The contract's path; from version 1.5 on the product's pages name the other as well. */
const bases = ['/rest/delegation/api/1.0', '/rest/delegation/1.0/api'];

/** A hundred entries are the most on a page, and a hundred thousand more than any register has. */
const PAGE = '100';
const MAX_PAGES = 1000;

/** The lists take long to read; they are remembered for a short time, in this process. */
const RECENT_MS = 10_000;

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
const delegatesAnswer = z
  .object({ delegator: name, asOf: instant, category: name, delegates: people })
  .transform(({ delegator, delegates, ...same }) => ({ ...same, person: delegator, others: delegates }));

/** Answer of `getDelegators`. */
const delegatorsAnswer = z
  .object({ delegate: name, asOf: instant, category: name, delegators: people })
  .transform(({ delegate, delegators, ...same }) => ({ ...same, person: delegate, others: delegators }));

/** A delegation; no categories means `general`. */
const delegationAnswer = z
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
interface PageAnswer<Entry> {
  readonly values: readonly Entry[];
  readonly total: number;
}

/** A page of delegations. */
const delegationsAnswer = pageOf(delegationAnswer);

/** All categories or a page of them: no document shows this list. */
const categoriesAnswer = z.preprocess(
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

/** A user with their password, or a token. */
type KeychainCredentials =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

/** The address of the service, and its credentials. `timeZone` is the tracker server's. */
interface KeychainParts {
  readonly baseUrl: string;
  readonly credentials: KeychainCredentials;
  readonly timeZone: string;
}

/** The register that the tracker hosts, over REST. What it answers is up to the user whose credentials are given. */
export function createKeychainRecords(
  { baseUrl, credentials, timeZone }: KeychainParts,
  surroundings: HttpSurroundings,
): DelegationRecords {
  const client = createHostedClient(keychainService(baseUrl, credentials), surroundings);
  const recent = { ttlMs: RECENT_MS, maxEntries: 1, now: surroundings.now, ages: 'answered' } as const;
  const categories = createNamespace<readonly Category[]>({ name: 'keychain-categories', ...recent });
  const delegations = createNamespace<readonly Delegation[]>({ name: 'keychain-delegations', ...recent });

  const at = (below: string, more: Partial<HostedRequest> = {}): HostedRequest => ({
    paths: bases,
    below,
    // The product has records since its version 1.5.
    withoutPath: 'has no lists of delegations (Keychain has them since 1.5).',
    withoutPathReason: 'service-too-old',
    ...more,
  });
  const quotedName = (name: string) => quoted(client.hide(name));
  /** A service, or something before it, that answers another question: it must not be taken for an answer to ours. */
  const otherThanAsked = (wanted: string, got: string, reason?: 'outcome-unknown') =>
    client.unavailable(`was asked about ${wanted} and answers about ${got}.`, reason);

  async function lookUp(
    of: 'delegator' | 'delegate',
    person: string,
    category: string,
    instant: Instant | null,
  ): Promise<DelegateLookup> {
    const second = instant === null ? null : Math.floor(instant / 1000) * 1000;
    const datetime = second === null ? undefined : dateText(second, 'yyyy-MM-dd HH:mm:ss', timeZone);
    const operation = of === 'delegator' ? 'getDelegates' : 'getDelegators';
    const answer = await client.request(
      at(`/delegation/${operation}`, {
        query: { [of]: person, category, datetime },
        missing: missingName,
        withoutPath: 'has no delegation interface (HTTP 404); is DELEGATION_BASE_URL right?',
        withoutPathReason: undefined,
      }),
      of === 'delegator' ? delegatesAnswer : delegatorsAnswer,
    );
    if (!isSameName(person, answer.person) || !isSameName(category, answer.category)) {
      const words = (one: string, its: string) => `${quotedName(one)} in ${quotedName(its)}`;
      throw otherThanAsked(words(person, category), words(answer.person, answer.category));
    }
    if (second !== null && answer.asOf !== second) throw otherInstant(second, answer.asOf);
    return { ...answer, asOf: instant ?? answer.asOf, others: [...new Set(answer.others)] };
  }

  /** An instant is sent as the wall clock of the server, and the answer says with its offset which one that was. */
  function otherInstant(wanted: Instant, got: Instant) {
    const [there, here] = [isoText(got), isoText(wanted)];
    if (wallOf(got, timeZone) === wallOf(wanted, timeZone)) {
      const words = `cannot be asked about ${here}: its clock shows that time twice, and it answers as of ${there}.`;
      return client.unavailable(words, 'unsupported-by-service');
    }
    const words = `was asked about ${here} and answers as of ${there}; is TIME_ZONE (${timeZone}) the zone of its server?`;
    return client.unavailable(words);
  }

  async function readCategories(): Promise<readonly Category[]> {
    const all = await readPages((startAt) => {
      const query = startAt === 0 ? {} : { startAt: String(startAt) };
      return client.request(at('/category', { query }), categoriesAnswer);
    });
    return all.filter(({ name }) => name !== GENERAL);
  }

  const readDelegations = (): Promise<readonly Delegation[]> =>
    readPages((startAt) => {
      const query = { startAt: String(startAt), maxResults: PAGE, includeExpired: 'true' };
      return client.request(at('/delegation', { query }), delegationsAnswer);
    });

  /** A whole list by id, each entry once; of one that comes twice the later version counts. */
  async function readPages<Entry extends { readonly id: number }>(
    page: (startAt: number) => Promise<PageAnswer<Entry>>,
  ): Promise<Entry[]> {
    const entries = new Map<number, Entry>();
    let read = 0;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const { values, total } = await page(read);
      const known = entries.size;
      for (const entry of values) entries.set(entry.id, entry);
      read += values.length;
      // A service that counts more than it has, or that repeats itself, would be asked for ever.
      const isDone = read >= total || entries.size === known;
      if (isDone) return [...entries.values()].sort((a, b) => a.id - b.id);
    }
    throw client.unavailable(
      `returns a list that does not end: after ${MAX_PAGES} pages there is still more.`,
    );
  }

  async function delegation(id: number): Promise<Delegation> {
    const request = at(`/delegation/${id}`, { missing: 'unknown-delegation' });
    const found = await client.request(request, delegationAnswer);
    if (found.id === id) return found;
    throw otherThanAsked(`the delegation ${id}`, `the delegation ${found.id}`);
  }

  /** The id is null for a new one. */
  async function save(id: number | null, input: DelegationInput): Promise<Delegation> {
    const body = bodyOf(input);
    const request =
      id === null
        ? at('/delegation', { method: 'POST', body, missing: missingName })
        : at(`/delegation/${id}`, { method: 'PUT', body, missing: 'unknown-delegation' });
    try {
      const saved = await client.request(request, delegationAnswer);
      if ((id ?? saved.id) === saved.id && isSameName(input.delegator, saved.delegator)) return saved;
      const wanted = `${id === null ? 'a delegation' : `the delegation ${id}`} of ${quotedName(input.delegator)}`;
      const got = `the delegation ${saved.id} of ${quotedName(saved.delegator)}`;
      throw otherThanAsked(wanted, got, 'outcome-unknown');
    } finally {
      // Also after a failure, as it may have been saved; categories too, for it may name one younger than the list.
      await Promise.all([categories.delete(''), delegations.delete('')]);
    }
  }

  return {
    delegatesOf: (person, category, instant) => lookUp('delegator', person, category, instant),
    delegatorsOf: (person, category, instant) => lookUp('delegate', person, category, instant),
    categories: () => categories.getOrMake('', readCategories),
    delegations: () => delegations.getOrMake('', readDelegations),
    delegation,
    // To the service, changes are made by the user whose credentials it gets.
    add: (input) => save(null, input),
    change: async (id, change) => save(id, change(await delegation(id))),
    own: null,
  };
}

function keychainService(baseUrl: string, credentials: KeychainCredentials): HostedService {
  const isToken = credentials.kind === 'bearer';
  const secret = isToken
    ? credentials.token
    : Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
  const address = 'DELEGATION_BASE_URL';
  return {
    name: 'delegation service',
    baseUrl,
    authorization: `${isToken ? 'Bearer' : 'Basic'} ${secret}`,
    secrets: isToken ? [secret] : [secret, credentials.password],
    settings: isToken
      ? { address, credentials: 'DELEGATION_TOKEN', user: 'DELEGATION_TOKEN' }
      : { address, credentials: 'DELEGATION_USER and DELEGATION_PASSWORD', user: 'DELEGATION_USER' },
    timeoutMs: 10_000,
    maxMegabytes: 10,
    slowAdvice: '',
    unknownOutcome: 'It is unknown whether the delegation was saved; check the list before trying again.',
    loginProblem,
  };
}

/**
 * The two documented reasons, which come as pages of the tracker or in JSON. The page for a wrong user names its reason in
 * capitals; the one about the license of the app says "Unauthorized access" and nothing else.
 */
function loginProblem(text: string): 'Invalid Licence' | 'Invalid User' {
  if (/AUTHENTICAT(ED|ION)_(FAILED|DENIED)|invalid user/i.test(text)) return 'Invalid User';
  return /licen[cs]e|unauthorized access/i.test(text) ? 'Invalid Licence' : 'Invalid User';
}

/**
 * The documents show only the sentence for a name that is not found: `Category with name "test" could not be found.`
 */
function missingName(message: string): 'unknown-category' | 'unknown-person' {
  return message.startsWith('Category ') ? 'unknown-category' : 'unknown-person';
}

/** The service finds names without regard to case, and answers as they are stored. */
function isSameName(a: string, b: string): boolean {
  return foldedName(a) === foldedName(b);
}

/** The members as the service calls them, dates in UTC to the minute. */
function bodyOf({ active, delegator, delegates, categoryIds, start, end, notes }: DelegationInput) {
  const dates = { startDate: isoMinute(start), endDate: isoMinute(end) };
  return { active, delegator, delegates, categoryIds, ...dates, notes };
}
