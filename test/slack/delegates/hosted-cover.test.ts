import { afterEach, describe, expect, test } from '#jest';
import { until } from '../../support/local-exports.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startStandInKeychain } from '../../support/stand-in-keychain.ts';
import { type Fault, held, page } from '../../support/stand-in-keychain-faults.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const NOON = '2026-03-18T12:00:00.000Z';
const people = ['ada', 'bob', 'carl', 'zoe'].map((name) => slackPerson(name, { tz: 'Europe/Berlin' }));

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
      return slack.answerTo(`/delegates ${line}`, { as });
    },
    async opensForm() {
      await slack.types('/delegates set', { as: 'bob' });
      await slack.modal('bob');
      return slack.modal('bob');
    },
    /** Submits the form of bob, and waits for what is shown at last. */
    async submits() {
      await slack.submits({ who: ['U0CARL'], first: '2026-05-19', last: '2026-05-20' }, { as: 'bob' });
      await until(() =>
        /It is unknown|Nothing was set|Already set|were notified|:warning:|did not work/.test(shown()),
      );
    },
    /** The next so many requests: what saves is heard and done, but no one gets an answer. */
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
  test('is found in the list, and both sides are notified as of any other', async () => {
    place = await start();
    await place.opensForm();
    place.losesAnswers(3, 'POST');
    await place.submits();
    expect(place.shown()).toContain('Set: *<@U0CARL> covers for you* May 19–20');
    expect(posts()).toBe(1);
    expect(place.directly('carl')).toHaveLength(1);
    expect(place.directly('bob').join()).toContain('covers for you* May 19–20');
  });

  test('that is there already is not set again', async () => {
    place = await start();
    await place.opensForm();
    await place.submits();
    await place.slack.dismisses({ as: 'bob' });
    await place.opensForm();
    await place.submits();
    expect(place.shown()).toContain('Already set: *<@U0CARL> covers for you* May 19–20');
    expect(posts()).toBe(1);
    expect(place.directly('carl')).toHaveLength(1);
  });

  test('and is not found is shown with what to do, and never with a form to press again', async () => {
    place = await start();
    await place.opensForm();
    const fault: Fault = (response, goOn) => {
      if (place.service.calls.at(-1)?.method === 'POST') page(500, 'Oops', 'oops')(response, goOn);
      else goOn();
    };
    place.service.fail(fault, fault, fault);
    await place.submits();
    expect(place.shown()).toContain('It is not in the list so far. Check `/delegates` in a minute');
    expect(place.shown()).not.toContain('Nothing was set');
    expect(place.slack.openModals('bob')).toMatchObject([{ submit: null }]);
    expect(place.directly('carl')).toEqual([]);
  });

  test('while the list cannot be read either is shown likewise', async () => {
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
  test('by two clicks at once is done, and notified of, once; the second reads that it has ended', async () => {
    place = await start();
    const list = await place.says('end');
    const blockId = String(list.blocks?.find((block) => block.accessory !== undefined)?.block_id);
    await Promise.all([1, 2].map(() => place.slack.clicks('End cover', { as: 'bob', on: list, blockId })));
    const texts = () => place.slack.messages({ as: 'bob' }).map(({ text }) => text);
    await until(
      () =>
        texts().filter((text) => /^Carl's cover for you .* has (?:already )?ended\./.test(text)).length === 2,
    );
    expect(texts().filter((text) => text.endsWith('has already ended.'))).toHaveLength(1);
    expect(place.methods().filter((method) => method === 'PUT')).toHaveLength(1);
    expect(place.directly('carl')).toHaveLength(1);
  });

  test('that may have been saved all the same is looked up, and both sides are notified', async () => {
    place = await start();
    const list = await place.says('end');
    place.losesAnswers(4, 'PUT');
    await place.slack.clicks('End cover', { as: 'bob', on: list });
    await until(() => place.slack.messages({ as: 'bob' }).some(({ text }) => text.includes(' has ended. ')));
    expect(place.directly('carl')).toHaveLength(1);
  });
});

test('a slow register does not keep the form from opening', async () => {
  place = await start();
  const { fault, release } = held();
  place.service.fail(fault);
  await place.slack.types('/delegates set', { as: 'bob' });
  expect(JSON.stringify(await place.slack.modal('bob'))).toContain('Opening the form…');
  release();
  expect(await place.slack.modal('bob')).toMatchObject({ callback_id: 'set-delegation' });
});

describe('a service without lists', () => {
  const remark =
    '_This delegation service shows names only: no dates, no notes, and not whether the person covering is out too._';

  test('is asked for one person, one category and one instant', async () => {
    place = await start({ lists: false });
    const text = async (line: string, as = 'ada') => (await place.says(line, as)).text;
    expect(await text('@bob EXPENSE')).toBe(`*Carl* covers for *Bob* for EXPENSE now.\n${remark}`);
    expect(await text('carl expense on 2026-03-20 14:00')).toMatch(
      /^No one covers for \*Carl\* for expense on <!date.*>\.\n\*Carl\* covers for \*Bob\* for expense on <!date/,
    );
    expect(await text('@bob expense on 2026-04-20 14:00')).toMatch(
      /^No one covers for \*Bob\* for expense on/,
    );
    expect(await text('@bob')).toMatch(/^No one covers for \*Bob\* now\.\nShows cover for everything\./);
    expect(await text('@bob expense on friday')).toBe(
      'This delegation service can look up a single time only, not a whole day. Did you mean `/delegates @bob expense on 2026-03-20 12:00`?',
    );
    expect(await text('@bob travel')).toBe(
      'Category with name "travel" could not be found. Did you mean `/delegates @bob`?',
    );
    expect(await text('@bob travel on blursday')).toMatch(/^I can't read `blursday` as a day\./);
    expect(await text('@ada', 'bob')).toMatch(/^You can only see your own cover\./);
  });

  test('says for everything else what can be asked', async () => {
    place = await start({ lists: false });
    const works = '`/delegates @PERSON [CATEGORY] [on DAY TIME]`';
    for (const line of ['', 'week', 'end']) {
      const { text } = await place.says(line);
      expect(text).toContain('has no lists of delegations');
      expect(text).toContain(works);
    }
    expect(JSON.stringify(await place.opensForm())).toContain(works);
  });
});

describe.each([
  ['a service that knows no people', { TIS_BASE_URL: 'http://127.0.0.1:9', TIS_TOKEN: 'a.b.c' }],
  ['a fictional company', {}],
])('beside %s the register’s own user names count', (_what, environment) => {
  test('whoever they are linked to by the command line', async () => {
    place = await start({ environment });
    expect((await place.says('max.m', 'zoe')).text).toContain(
      'Your Slack account is not linked to a Jira user yet.',
    );
    const { code } = await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'zoe.z');
    expect(code).toBe(0);
    expect((await place.says('max.m', 'zoe')).text).toContain('You can only see your own cover.');
    expect((await place.says('me', 'zoe')).text).toMatch(/^No one covers for (?:you|\*Zoe\.Z\*)/);
    await place.dwell.types('delegates', '--view-all', 'zoe.z');
    expect((await place.says('max.m', 'zoe')).text).toMatch(/^No one covers for \*max\.m\*/);
    expect((await place.says('bob', 'zoe')).text).toMatch(/^\*Carl covers for bob\*/i);
    expect((await place.says('nemo', 'zoe')).text).toContain("I can't find `nemo` in Jira.");
  });

  test('whoever proves to be one of them', async () => {
    place = await start({ environment });
    const invited = await place.says('link', 'zoe');
    const link = /\/link\?ticket=([^"|>\\]+)/.exec(JSON.stringify(invited.blocks));
    const ticket = decodeURIComponent(link?.[1] ?? '');
    const { lines } = await place.dwell.types('token', '--user', 'Zoe.Z');
    const { status } = await place.dwell.post('/link', { ticket, token: lines[0] ?? '' }, {});
    expect(status).toBe(200);
    expect((await place.says('me', 'zoe')).text).toMatch(/^No one covers for (?:you|\*Zoe\.Z\*)/);
  });

  test('and no one else', async () => {
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
  expect((await place.says('link @zoe nemo', 'ada')).text).toContain("I can't find `nemo` in Jira.");
  // The other side is notified as well.
  const texts = [(await place.says('link @zoe zoe.z', 'ada')).text, (await place.slack.reply()).text];
  expect(texts.join(' ')).toContain('is linked to Jira user *Zoe.Z* (Zoe.Z)');
});

test('a service without lists is asked by its own user names, too', async () => {
  place = await start({ lists: false, environment: {} });
  await place.dwell.types('people', '--link', 'U0ZOE', '--to', 'zoe.z');
  await place.dwell.types('delegates', '--view-all', 'zoe.z');
  expect((await place.says('max.m', 'zoe')).text).toMatch(/^No one covers for \*max\.m\* now/);
});
