import { millisecondsInMinute } from 'date-fns/constants';

/** A delegation as the product's REST tells it. */
export interface KeychainRecord {
  readonly delegationId: number;
  readonly version: number;
  readonly active: boolean;
  readonly delegator: string;
  readonly delegates: readonly string[];
  readonly categoryIds: readonly number[];
  /** ISO 8601 in UTC, to the minute. */
  readonly startDate: string;
  readonly endDate: string;
  readonly notes: string;
}

/** What a stand-in starts with. `now` is a whole second, `timeZone` the server's. */
export interface KeychainWorld {
  readonly users: readonly string[];
  readonly categories: readonly {
    readonly id: number;
    readonly name: string;
    readonly description: string;
  }[];
  readonly records: readonly KeychainRecord[];
  readonly now: number;
  readonly timeZone: string;
}

/** What the register has to say: a status and the members of the body beside `status` and `timestamp`. */
export interface Said {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the product keeps and answers, written without any of the code that is tested with it. */
export function createKeychainRegisterStandIn(world: KeychainWorld, general = 'general') {
  const records = new Map(world.records.map((record) => [record.delegationId, record]));
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: world.timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const wallText = (instant: number) => clock.format(instant);
  const offsetMinutes = (instant: number) =>
    (Date.parse(`${wallText(instant)}Z`) - instant) / millisecondsInMinute;

  /** The first instant at which the clock shows a time; one that is left out is read with the day before's offset. */
  function instantOf(wall: string): number {
    const asUtc = Date.parse(`${wall.replace(' ', 'T')}Z`);
    for (let ahead = 15 * 60; ahead >= -15 * 60; ahead -= 15) {
      if (wallText(asUtc - ahead * millisecondsInMinute) === wall)
        return asUtc - ahead * millisecondsInMinute;
    }
    return asUtc - offsetMinutes(asUtc - 86_400_000) * millisecondsInMinute;
  }

  /** `2021-08-27 05:45:36 +0000`. */
  function instantText(instant: number): string {
    const ahead = offsetMinutes(instant);
    const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
    const offset = `${ahead < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}${String(minutes).padStart(2, '0')}`;
    return `${wallText(instant)} ${offset}`;
  }

  function lookUp(subject: 'delegator' | 'delegate', query: URLSearchParams): Said {
    const [person, category, datetime] = [query.get(subject), query.get('category'), query.get('datetime')];
    if (!person) return wrong({ [subject]: `${subject} is required.` });
    if (!category) return wrong({ category: 'category is required.' });
    if (datetime !== null && !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(datetime)) {
      return wrong({ datetime: 'datetime is not valid.' });
    }
    const kind = world.categories.find(({ name }) => name.toLowerCase() === category.toLowerCase());
    const isGeneral = category.toLowerCase() === 'general';
    if (kind === undefined && !isGeneral) return missing(`Category with name "${category}"`);
    const user =
      world.users.find((id) => id === person) ??
      world.users.find((id) => id.toLowerCase() === person.toLowerCase());
    if (user === undefined) return missing(`User with name "${person}"`);
    const at = datetime === null ? world.now : instantOf(datetime);
    const found = new Set<string>();
    const ordered = [...records.values()].sort(
      (a, b) => Date.parse(a.startDate) - Date.parse(b.startDate) || a.delegationId - b.delegationId,
    );
    for (const { active, startDate, endDate, categoryIds, delegator, delegates } of ordered) {
      if (!active || at < Date.parse(startDate) || at >= Date.parse(endDate)) continue;
      if (categoryIds.length > 0 && (kind === undefined || !categoryIds.includes(kind.id))) continue;
      if (subject === 'delegator' && delegator === user)
        for (const delegate of delegates) found.add(delegate);
      if (subject === 'delegate' && delegates.includes(user)) found.add(delegator);
    }
    const same = { asOf: instantText(at), category: kind?.name ?? general };
    return subject === 'delegator'
      ? fine({ delegator: user, ...same, delegates: [...found] })
      : fine({ delegate: user, ...same, delegators: [...found] });
  }

  function list(query: URLSearchParams): Said {
    const startAt = Number(query.get('startAt') ?? 0);
    const size = Math.min(Number(query.get('maxResults') ?? 100), 100);
    const [delegator, delegate] = [query.get('delegator'), query.get('delegate')];
    const matching = [...records.values()]
      .sort((a, b) => a.delegationId - b.delegationId)
      .filter((one) => query.get('includeExpired') === 'true' || Date.parse(one.endDate) > world.now)
      .filter((one) => delegator === null || one.delegator === delegator)
      .filter((one) => delegate === null || one.delegates.includes(delegate))
      .filter((one) => one.notes.includes(query.get('notes') ?? ''));
    const values = matching.slice(startAt, startAt + size);
    return fine({ total: matching.length, startAt, pageSize: size, values });
  }

  function get(id: string): Said {
    const record = records.get(Number(id));
    return record === undefined ? missing(`Delegation with id "${id}"`) : fine({ ...record });
  }

  function save(id: string | null, sent: Readonly<Record<string, unknown>>): Said {
    const kept = id === null ? undefined : records.get(Number(id));
    if (id !== null && kept === undefined) return missing(`Delegation with id "${id}"`);
    const { active, delegator, startDate, endDate } = sent;
    const delegates = listed(sent.delegates).map(String);
    const categoryIds = listed(sent.categoryIds).map(Number);
    const errors: Record<string, string> = {};
    if (typeof active !== 'boolean') errors.active = 'active is required.';
    if (!world.users.includes(String(delegator))) errors.delegator = 'delegator is not a user.';
    else if (kept !== undefined && kept.delegator !== delegator) {
      errors.delegator = 'delegator cannot be changed.';
    }
    if (delegates.length === 0) errors.delegates = 'delegates is required.';
    else if (delegates.some((name) => name === delegator || !world.users.includes(name))) {
      errors.delegates = 'delegates is not valid.';
    }
    if (categoryIds.some((one) => !world.categories.some((category) => category.id === one))) {
      errors.categoryIds = 'categoryIds is not valid.';
    }
    const dated = /^\d{4}-\d\d-\d\dT\d\d:\d\d(Z|[+-]\d\d:\d\d)$/;
    if (!dated.test(String(startDate))) errors.startDate = 'startDate is not valid.';
    if (!dated.test(String(endDate)) || Date.parse(String(endDate)) <= Date.parse(String(startDate))) {
      errors.endDate = 'endDate is not valid.';
    }
    if (Object.keys(errors).length > 0) return wrong(errors);
    const record: KeychainRecord = {
      delegationId: kept?.delegationId ?? Math.max(100, ...records.keys()) + 1,
      version: (kept?.version ?? 0) + 1,
      active: active === true,
      delegator: String(delegator),
      delegates,
      categoryIds,
      startDate: minuteText(startDate),
      endDate: minuteText(endDate),
      notes: typeof sent.notes === 'string' ? sent.notes : '',
    };
    records.set(record.delegationId, record);
    return fine({ ...record });
  }

  return {
    lookUp,
    list,
    get,
    save,
    categories: (): unknown => world.categories,
    /** Of an error, in the look-ups and in the record endpoints. */
    timestamps: { number: world.now, text: instantText(world.now) },
  };
}

function fine(body: Said['body']): Said {
  return { status: 200, body };
}

function wrong(errors: Readonly<Record<string, string>>): Said {
  return { status: 400, body: { message: Object.values(errors)[0], errors } };
}

function missing(what: string): Said {
  return { status: 404, body: { message: `${what} could not be found.` } };
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function minuteText(date: unknown): string {
  return `${new Date(String(date)).toISOString().slice(0, 16)}Z`;
}
