import { afterEach, describe, expect, test } from '#jest';
import { seconds } from '../../support/delegates-in-slack.ts';
import { until } from '../../support/local-exports.ts';
import { startStandInKeychain } from '../../support/stand-in-keychain.ts';
import { type Fault, held, page } from '../../support/stand-in-keychain-faults.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const NOON = '2026-03-18T12:00:00.000Z';
const people = ['ada', 'bob', 'carl', 'zoe'].map((name) => ({
  id: `U0${name.toUpperCase()}`,
  name,
  realName: name,
  email: `${name}@example.com`,
  tz: 'Europe/Berlin',
}));

/** A Dwell in a stand-in Slack whose register is a tracker's, where carl stands in for bob. */
async function start({
  lists = true,
  environment = { TRACKER: 'sample' },
}: {
  lists?: boolean;
  environment?: Readonly<Record<string, string>>;
} = {}) {
  const service = await startStandInKeychain(
    {
      users: ['ada', 'bob', 'carl', 'Zoe.Z', 'max.m'],
      categories: [{ id: 1, name: 'Expense', description: '' }],
      records: [
        {
          delegationId: 1,
          version: 1,
          active: true,
          delegator: 'bob',
          delegates: ['carl'],
          categoryIds: [1],
          startDate: '2026-03-01T00:00Z',
          endDate: '2026-04-01T00:00Z',
          notes: '',
        },
      ],
      now: Date.parse(NOON),
      timeZone: 'UTC',
    },
    { lists },
  );
  const place = await startDwellInSlack({
    at: NOON,
    people,
    environment: {
      ...environment,
      TIME_ZONE: 'UTC',
      BASE_URL: 'https://dwell.example',
      DELEGATION_BASE_URL: service.baseUrl,
      DELEGATION_USER: 'reader',
      DELEGATION_PASSWORD: 'correct horse',
    },
  });
  const { slack } = place;
  const shown = () => JSON.stringify(slack.openModals('bob'));
  return {
    ...place,
    service,
    shown,
    methods: () => service.calls.map(({ method }) => method),
    directly: (as: string) => slack.messages({ channel: 'dm', as }).map(({ text }) => text),
    async says(line: string, as = 'bob') {
      await slack.types(`/delegates ${line}`, { as });
      return slack.reply();
    },
    async opensForm() {
      await slack.types('/delegates set', { as: 'bob' });
      await slack.modal('bob');
      return slack.modal('bob');
    },
    /** Submits the form of bob, and waits for what is shown at last. */
    async submits() {
      const from = seconds('2026-05-19T08:00:00Z');
      const to = seconds('2026-05-20T08:00:00Z');
      await slack.submits({ who: ['U0CARL'], from, to }, { as: 'bob' });
      await until(() => /It is unknown|Nothing is set|sides are told|did not work/.test(shown()));
    },
    /** The next so many requests: what saves is heard and done, but nobody is told. */
    losesAnswers(requests: number, method: 'POST' | 'PUT'): void {
      const fault: Fault = (response, goOn) => {
        if (service.calls.at(-1)?.method === method) {
          Object.defineProperty(response, 'end', { value: () => response.destroy() });
        }
        goOn();
      };
      service.fail(...Array.from({ length: requests }, () => fault));
    },
    async stop() {
      await place.stop();
      await service.close();
    },
  };
}

let place: Awaited<ReturnType<typeof start>>;
afterEach(() => place.stop());
const posts = () => place.methods().filter((method) => method === 'POST').length;

describe('a delegation that the register may have saved all the same', () => {
  test('is found in the list, and told to both sides as any other', async () => {
    place = await start();
    await place.opensForm();
    place.losesAnswers(3, 'POST');
    await place.submits();
    expect(place.shown()).toMatch(/Set: \*Carl\* for \*Bob\*: everything/);
    expect(posts()).toBe(1);
    expect(place.directly('carl')).toHaveLength(1);
    expect(place.directly('bob').join()).toContain('*Carl* stands in for you');
  });

  test('is not taken for one that was there before', async () => {
    place = await start();
    await place.opensForm();
    await place.submits();
    await place.slack.dismisses({ as: 'bob' });
    await place.opensForm();
    // Past the list as it was read before, the second is not saved.
    const fault: Fault = (response, goOn) => {
      if (place.service.calls.at(-1)?.method === 'POST') page(500, 'Oops', 'oops')(response, goOn);
      else goOn();
    };
    place.service.fail(fault, fault, fault);
    await place.submits();
    expect(place.shown()).toContain('It is unknown whether');
    expect(place.directly('carl')).toHaveLength(1);
  });

  test('and is not found is told with what to do, and never with a form to press again', async () => {
    place = await start();
    await place.opensForm();
    const fault: Fault = (response, goOn) => {
      if (place.service.calls.at(-1)?.method === 'POST') page(500, 'Oops', 'oops')(response, goOn);
      else goOn();
    };
    place.service.fail(fault, fault, fault);
    await place.submits();
    expect(place.shown()).toContain(
      'The list does not show it so far. Look at `/delegates mine` in a minute',
    );
    expect(place.shown()).not.toContain('Nothing is set');
    expect(place.slack.openModals('bob')).toMatchObject([{ submit: null }]);
    expect(place.directly('carl')).toEqual([]);
  });

  test('while the list cannot be read either is told likewise', async () => {
    place = await start();
    await place.opensForm();
    const fault: Fault = (response, goOn) => {
      if (posts() > 0) page(500, 'Oops', 'oops')(response, goOn);
      else goOn();
    };
    place.service.fail(fault, fault, fault);
    await place.submits();
    expect(place.shown()).toContain('The list cannot be read now either.');
    expect(place.slack.openModals('bob')).toMatchObject([{ submit: null }]);
  });

  test('was surely not saved where the register refuses: the form comes back with all that it held', async () => {
    place = await start();
    await place.opensForm();
    const fault: Fault = (response, goOn) => {
      if (posts() > 0) page(401, 'Unauthorized (401)', 'AUTHENTICATED_FAILED')(response, goOn);
      else goOn();
    };
    place.service.fail(fault, fault, fault);
    await place.submits();
    expect(place.shown()).toContain(':warning: The delegation service at');
    expect(place.shown()).toContain('"initial_users":["U0CARL"]');
    expect(place.shown()).toContain('"Expense"');
  });
});

describe('ending', () => {
  test('by two clicks at once is done and told once; the second reads that it has ended', async () => {
    place = await start();
    const list = await place.says('end');
    const blockId = String(list.blocks?.find((block) => block.accessory !== undefined)?.block_id);
    await Promise.all([1, 2].map(() => place.slack.clicks('End', { as: 'bob', on: list, blockId })));
    const texts = () => place.slack.messages({ as: 'bob' }).map(({ text }) => text);
    await until(() => texts().filter((text) => /^(Ended|This has ended already): /.test(text)).length === 2);
    expect(
      texts().filter((text) => text.startsWith('This has ended already: *Carl* for *Bob*')),
    ).toHaveLength(1);
    expect(place.methods().filter((method) => method === 'PUT')).toHaveLength(1);
    expect(place.directly('carl')).toHaveLength(1);
  });

  test('that may have been saved all the same is looked up, and told', async () => {
    place = await start();
    const list = await place.says('end');
    place.losesAnswers(4, 'PUT');
    await place.slack.clicks('End', { as: 'bob', on: list });
    await until(() => place.slack.messages({ as: 'bob' }).some(({ text }) => text.startsWith('Ended: ')));
    expect(place.directly('carl')).toHaveLength(1);
  });
});

test('a slow register does not keep the form from opening', async () => {
  place = await start();
  const { fault, release } = held();
  place.service.fail(fault);
  await place.slack.types('/delegates set', { as: 'bob' });
  expect(JSON.stringify(await place.slack.modal('bob'))).toContain('Getting the form…');
  release();
  expect(await place.slack.modal('bob')).toMatchObject({ callback_id: 'set-delegation' });
});

describe('a register that tells no lists', () => {
  const remark = '_This delegation service tells names only: not from when until when';

  test('is asked for one person, one category and one instant', async () => {
    place = await start({ lists: false });
    const text = async (line: string, as = 'ada') => (await place.says(line, as)).text;
    expect(await text('@bob EXPENSE')).toMatch(
      /^Who stands in for \*Bob\* \(Expense\) now \(Wednesday 18 March 2026\):\n• \*Carl\*\n/,
    );
    expect(await text('@bob expense')).toContain(remark);
    expect(await text('for carl expense on 2026-03-20 14:00')).toMatch(
      /^For whom \*Carl\* stands in \(Expense\) on Friday 20 March 2026 at 14:00:\n• \*Bob\*\n/,
    );
    expect(await text('@bob expense on 2026-04-20 14:00')).toMatch(
      /^Nobody stands in for \*Bob\* \(Expense\) on/,
    );
    expect(await text('@bob')).toMatch(/^Nobody stands in for \*Bob\* \(general\) now/);
    expect(await text('@bob expense on friday')).toMatch(/^This delegation service tells no whole days\./);
    expect(await text('@bob friday')).toBe(
      'Category with name "friday" could not be found. Did you mean `/delegates @bob on friday 12:00`?',
    );
    expect(await text('@bob travel on blursday')).toContain('A day is `today`');
    expect(await text('@ada', 'bob')).toMatch(
      /^You do not have permission to query delegations of other users/,
    );
  });

  test('says for everything else what can be asked', async () => {
    place = await start({ lists: false });
    const works = 'What it does tell: `/delegates @PERSON [CATEGORY] [on DAY TIME]`';
    for (const line of ['mine', 'week', 'end']) {
      const { text } = await place.says(line);
      expect(text).toContain('has no lists of delegations');
      expect(text).toContain(works);
    }
    expect(JSON.stringify(await place.opensForm())).toContain(works);
  });
});

describe.each([
  ['a service that knows no people', { TIS_BASE_URL: 'http://127.0.0.1:9', TIS_TOKEN: 'a.b.c' }],
  ['an invented company', {}],
])('beside %s the register’s own user names count', (_what, environment) => {
  test('whoever they are linked to by the command line', async () => {
    place = await start({ environment });
    expect((await place.says('max.m', 'zoe')).text).toContain('I do not know who you are');
    const { code } = await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'zoe.z');
    expect(code).toBe(0);
    expect((await place.says('max.m', 'zoe')).text).toContain('You do not have permission');
    expect((await place.says('me', 'zoe')).text).toMatch(/^Nobody stands in for \*Zoe\.Z\*/);
    await place.dwell.types('delegates', '--view-all', 'zoe.z');
    expect((await place.says('max.m', 'zoe')).text).toMatch(/^Nobody stands in for \*max\.m\*/);
    expect((await place.says('bob', 'zoe')).text).toMatch(/[Cc]arl\*/);
    expect((await place.says('nemo', 'zoe')).text).toContain('I do not know who `nemo` is');
  });

  test('whoever proves to be one of them', async () => {
    place = await start({ environment });
    const invited = await place.says('link', 'zoe');
    const link = /\/link\?ticket=([^"|>\\]+)/.exec(JSON.stringify(invited.blocks));
    const ticket = decodeURIComponent(link?.[1] ?? '');
    const { lines } = await place.dwell.types('token', '--user', 'Zoe.Z');
    const { status } = await place.dwell.post('/link', { ticket, token: lines[0] ?? '' }, {});
    expect(status).toBe(200);
    expect((await place.says('me', 'zoe')).text).toMatch(/^Nobody stands in for \*Zoe\.Z\*/);
  });

  test('and nobody else', async () => {
    place = await start({ environment });
    const linked = await place.dwell
      .types('people', '--link', 'U0ZOE', '--to', 'nemo')
      .catch((error) => error);
    expect(JSON.stringify([linked, linked.message, place.dwell.beside])).toContain('could not be found');
    expect((await place.dwell.types('people')).lines.join()).not.toContain('U0ZOE');
  });
});

test('an admin links people to the register’s own user names', async () => {
  place = await start({ environment: {} });
  expect((await place.says('link @zoe nemo', 'ada')).text).toContain('The tracker knows nobody called');
  // The other side is told as well.
  const texts = [(await place.says('link @zoe zoe.z', 'ada')).text, (await place.slack.reply()).text];
  expect(texts.join(' ')).toContain('is *Zoe.Z* (Zoe.Z) in the tracker now');
});

test('a register that tells no lists is asked by its own user names, too', async () => {
  place = await start({ lists: false, environment: {} });
  await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'zoe.z');
  await place.dwell.types('delegates', '--view-all', 'zoe.z');
  expect((await place.says('max.m', 'zoe')).text).toMatch(/^Nobody stands in for \*max\.m\* \(general\) now/);
});
