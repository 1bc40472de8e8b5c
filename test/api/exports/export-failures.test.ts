import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '#jest';
import { AppError, badRequest } from '../../../src/model/error.ts';
import type { ExportRecord } from '../../../src/model/export.ts';
import type { ReportRequest } from '../../../src/model/request.ts';
import type { Work } from '../../../src/store/work-kinds.ts';
import { aWish } from '../../support/an-export.ts';
import { heldReporting } from '../../support/held-reporting.ts';
import { anOffice, type Office, type OfficeParts, threeIssues, until } from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';

const ada = principalOf('ada');

let office: Office;
afterEach(() => office.close());

/** Queues an export in a process that works, and waits for its end. */
async function ended(parts: OfficeParts) {
  office = await anOffice(parts);
  office.exports.start({});
  const { id } = await office.exports.queue(aWish());
  return office.ended(id);
}

/** A world whose lists fail at their end. */
function failing(error: unknown) {
  const held = heldReporting(smallWorld('2026-03-18T12:00:00Z', threeIssues));
  held.fail(error);
  return { reporting: held.reporting };
}

/** What the system throws when a disk takes no more. */
function diskError(code: string): Error {
  return Object.assign(new Error(`${code}: no such luck, write '/secret/path'`), { code });
}

const errorsLogged = () => office.logged.filter(({ level }) => level >= 50);

describe('an export fails', () => {
  test('with what the report refuses, in whole sentences', async () => {
    const record = await ended(failing(badRequest("jql 'x' is wrong. Try: another.", 'And so is y.')));
    expect(record).toMatchObject({
      state: 'Failed',
      message: "jql 'x' is wrong. Try: another. And so is y.",
      expiresAt: null,
    });
    expect(office.lying()).toEqual([]);
    expect(errorsLogged()).toEqual([]);
    const refused = office.exports.file(ada, record.id);
    await expect(refused).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(/^The export failed or was aborted: /),
    });
  });

  test.each([
    ['ENOSPC', 'the disk is full. Please ask an admin to free some space.'],
    ['EDQUOT', 'the disk quota is used up. Please ask an admin to free some space.'],
    ['EROFS', 'the disk can only be read. Please ask an admin to look at it.'],
    ['EACCES', 'the folder for files cannot be written to. Please ask an admin to look at it.'],
  ])('with a plain sentence on %s', async (code, why) => {
    const record = await ended(failing(diskError(code)));
    expect(record.message).toBe(`The file could not be written: ${why}`);
    expect(office.lying()).toEqual([]);
  });

  test('with a plain sentence when no folder can be made', async () => {
    office = await anOffice();
    writeFileSync(office.folder, 'in the way');
    office.exports.start({});
    const { id } = await office.exports.queue(aWish());
    const record = await office.ended(id);
    expect(record).toMatchObject({
      state: 'Failed',
      message: expect.stringContaining('a file is in the place of the folder for files'),
    });
  });

  test('with a reference to the log when it is a bug, and tells nothing else of it', async () => {
    const record = await ended(failing(new TypeError('secrets of the program')));
    const [logged] = errorsLogged();
    expect(logged).toMatchObject({ msg: 'export failed', err: { message: 'secrets of the program' } });
    expect(record.message).toBe(
      `Something went wrong on our side; the log has it under ${logged?.reference}.`,
    );
    expect(logged?.reference).toMatch(/^[\da-f-]{36}$/);
  });

  test('when five processes have died over it', async () => {
    const dead = await anOffice();
    const { id } = await dead.exports.queue(aWish());
    const { clock, dataDir, folder } = dead;
    mkdirSync(folder);
    for (let death = 1; death <= 5; death += 1) {
      const lease = { holder: `dead ${death}`, until: clock.now + 15_000 };
      expect(await dead.stored.claim(clock.now, lease, ['slack'])).toMatchObject({ attempts: death });
      writeFileSync(`${folder}/${id}-${death}.part`, 'half a f');
      clock.now += 15_000;
    }
    await dead.close();
    office = await anOffice({ dataDir, clock });
    office.exports.start({});
    const record = await office.ended(id);
    expect(record.state).toBe('Failed');
    expect(record.message).toMatch(/^Dwell stopped 5 times while making the file/);
    expect(office.lying()).toEqual([]);
  });
});

describe('what is out of reach for a while', () => {
  test('is tried again, and an export fails only when that lasts', async () => {
    const world = smallWorld('2026-03-18T12:00:00Z', threeIssues);
    let isAway = true;
    office = await anOffice({
      reporting: {
        ...world,
        open: (...asked) => {
          if (isAway) throw new AppError('store-unavailable', 'The store cannot be read now.');
          return world.open(...asked);
        },
      },
    });
    office.exports.start({});
    const [passing, lasting] = [await office.exports.queue(aWish()), await office.exports.queue(aWish())];
    await office.looked();
    expect((await office.exports.get(ada, passing.id)).state).toBe('Queued');
    isAway = false;
    office.clock.now += 10_000;
    await office.ended(passing.id);
    await office.ended(lasting.id);
    isAway = true;
    const last = await office.exports.queue(aWish());
    await office.looked();
    office.clock.now += 10 * 60_000;
    await until(async () => (await office.exports.get(ada, last.id)).state === 'Failed');
    expect((await office.exports.get(ada, last.id)).message).toBe('The store cannot be read now.');
  });
});

test('a file is not to be had any more once something was closed to its principal', async () => {
  const world = smallWorld('2026-03-18T12:00:00Z', threeIssues);
  const scope = { closedProjects: ['OTHER'], openLevels: ['1'], everything: false };
  let now = scope;
  office = await anOffice({ reporting: { ...world, browseScope: async () => now } });
  office.exports.start({});
  const { id } = await office.exports.queue(aWish());
  await office.ended(id);
  const ticket = await office.exports.ticket(await office.exports.get(ada, id), null);
  for (const narrower of [
    { ...scope, closedProjects: ['OTHER', 'DEMO'] },
    { ...scope, openLevels: [] },
  ]) {
    now = narrower;
    await expect(office.exports.file(ada, id)).rejects.toMatchObject({ code: 'not-found' });
    await expect(office.exports.fileByTicket(ticket)).rejects.toThrow('What you can see has changed');
  }
  for (const asWide of [scope, { ...scope, closedProjects: [] }, { ...scope, everything: true }]) {
    now = asWide;
    expect((await office.exports.fileByTicket(ticket)).bytes).toBeGreaterThan(0);
  }
});

test('a file that credits delegates is not to be had any more once its principal may not know of them', async () => {
  const world = smallWorld('2026-03-18T12:00:00Z', threeIssues);
  let trouble: AppError | null = null;
  const checked: (readonly string[] | null)[] = [];
  const check = async ({ creditDelegates }: ReportRequest) => {
    checked.push(creditDelegates);
    if (trouble !== null) throw trouble;
  };
  office = await anOffice({ reporting: { ...world, check } });
  office.exports.start({});
  const crediting = await office.exports.queue(
    aWish({ reportType: 'assigneeDuration', creditDelegates: ['Expense'] }),
  );
  const plain = await office.exports.queue(aWish({ reportType: 'assigneeDuration' }));
  for (const { id } of [crediting, plain]) {
    await office.ended(id);
  }
  const bytes = async ({ id }: { readonly id: string }) => (await office.exports.file(ada, id)).bytes;
  trouble = new AppError('missing-right', 'You do not have permission to query delegations of other users.');
  await expect(bytes(crediting)).rejects.toThrow('What you can see has changed');
  expect(await bytes(plain)).toBeGreaterThan(0);
  // A register that is away has not said that they may.
  trouble = new AppError('service-unavailable', 'The register cannot be reached.');
  await expect(bytes(crediting)).rejects.toBe(trouble);
  for (const harmless of [
    null,
    new AppError('unknown-category', 'Category with name "Expense" could not be found.'),
  ]) {
    trouble = harmless;
    expect(await bytes(crediting)).toBeGreaterThan(0);
  }
  expect(checked).not.toContain(null);
});

describe('a store that others hold', () => {
  const isLocked = () =>
    Promise.reject(
      new AppError('store-unavailable', 'The store cannot be written to now: database is locked.'),
    );

  /** The first calls of this kind find the store locked. */
  function locked(call: 'claim' | 'keep' | 'release' | 'change', times: number) {
    let left = times;
    return (store: Work<ExportRecord>): Work<ExportRecord> => {
      const tried = <Result>(now: typeof call, run: () => Promise<Result>): Promise<Result> => {
        if (now !== call) return run();
        left -= 1;
        return left >= 0 ? isLocked() : run();
      };
      return {
        ...store,
        claim: (...told) => tried('claim', () => store.claim(...told)),
        keep: (...told) => tried('keep', () => store.keep(...told)),
        release: (...told) => tried('release', () => store.release(...told)),
        // What belongs to one owner is queued, and to no one else.
        change: (which, change) =>
          which.owner === undefined
            ? tried('change', () => store.change(which, change))
            : store.change(which, change),
      };
    };
  }

  test.each(['claim', 'keep', 'release', 'change'] as const)(
    'for %s delays an export and does not lose it',
    async (call) => {
      const record = await ended({ changeStore: locked(call, 3) });
      expect(record).toMatchObject({ state: 'Successful', attempts: 1 });
      expect(office.lying()).toEqual([`${record.id}-1.csv`]);
      expect(errorsLogged()).toEqual([]);
    },
  );

  test('is told to whoever queues', async () => {
    office = await anOffice({
      changeStore: (store) => ({
        ...store,
        change: isLocked,
      }),
    });
    await expect(office.exports.queue(aWish())).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a file made at once', () => {
  test('waits for its turn while two others are made, unless its principal leaves', async () => {
    const held = heldReporting(smallWorld('2026-03-18T12:00:00Z', threeIssues));
    office = await anOffice({ reporting: held.reporting });
    const making = [1, 2, 3, 4].map(() => new AbortController());
    const files = making.map(({ signal }) => office.exports.now(aWish(), signal));
    await until(() => held.opened() === 2);
    making[2]?.abort(new Error('left'));
    await expect(files[2]).rejects.toThrow('left');
    held.letGo();
    const [first, second, , fourth] = files;
    for (const file of [first, second, fourth]) await (await file)?.close();
    expect(held.opened()).toBe(3);
    expect(office.lying()).toEqual([]);
  });

  test('is there until it is closed', async () => {
    office = await anOffice();
    const file = await office.exports.now(aWish());
    expect(office.lying()).toHaveLength(1);
    expect(file).toMatchObject({
      bytes: expect.any(Number),
      provenance: { complete: true, undecided: 0 },
    });
    await file.close();
    await file.close();
    expect(office.lying()).toEqual([]);
  });

  test('that fails leaves nothing behind', async () => {
    office = await anOffice(failing(badRequest('it is wrong.')));
    await expect(office.exports.now(aWish())).rejects.toMatchObject({ code: 'bad-request' });
    expect(office.lying()).toEqual([]);
  });

  test('is refused as unavailable when the disk takes no more', async () => {
    office = await anOffice(failing(diskError('ENOSPC')));
    const message =
      'The file could not be written: the disk is full. Please ask an admin to free some space.';
    await expect(office.exports.now(aWish())).rejects.toMatchObject({ code: 'unavailable', message });
    expect(office.lying()).toEqual([]);
  });
});
