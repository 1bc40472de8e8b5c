import { describe, expect, test } from '#jest';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';
import { rowsOf } from '../../support/table-rows.ts';

const startWithAda = (at: string) =>
  startDwellInSlack({
    at,
    environment: { TRACKER: 'sample', TIME_ZONE: 'Europe/Berlin' },
    people: [{ id: 'U0ADA', name: 'ada', realName: 'ada', email: 'ada@example.com', tz: 'Europe/Berlin' }],
  });

/** What each word of a sentence does to its line: none is passed over, on a Saturday in Berlin. */
describe('every word of a sentence', () => {
  const place = startedOnce(() => startWithAda('2026-11-28T14:00:00.000Z'));

  async function answerTo(text: string): Promise<string> {
    return (await place.slack.answerTo(`/tis ${text}`, { as: 'ada', in: 'general' })).text;
  }

  test.each(
    rowsOf(`
    which WEB issues have been in To Do for more than 10 days → aging jql project = WEB AND status = "To Do" AND NOT status CHANGED AFTER -10d AND created &lt; -10d with backlog
    open WEB bugs not moved since october → aging jql project = WEB AND issuetype = Bug AND NOT status CHANGED AFTER "2026-10-01" AND created &lt; "2026-10-01" with backlog
    how many bugs did we close today in WEB? → jql project = WEB AND issuetype = Bug today
    what did WEB ship today → WEB today list
    bugs created today → jql issuetype = Bug created today
    bugs updated today in WEB → jql project = WEB AND issuetype = Bug updated today
    how was WEB today → WEB today
    WEB issues without label checkout last month → jql project = WEB AND (labels != checkout OR labels is EMPTY) last month
    WEB without component Payments last month → jql project = WEB AND (component != Payments OR component is EMPTY) last month
    WEB bugs without a label closed in october → jql project = WEB AND issuetype = Bug AND labels is EMPTY october
    WEB issues with priority High or Highest → jql project = WEB AND priority in (High, Highest)
    priority low or lowest WEB → jql project = WEB AND priority in (Low, Lowest)
    compare WEB and APP bugs and stories last month → compare jql project = WEB AND issuetype in (Bug, Story) last month with jql project = APP AND issuetype in (Bug, Story) last month
    how many WEB issues were in QA last week → jql project = WEB AND status WAS QA DURING (startOfWeek("-1"), startOfWeek())
    WEB bugs in QA last week → jql project = WEB AND issuetype = Bug AND status WAS QA DURING (startOfWeek("-1"), startOfWeek())
    which issues were in QA in october → jql status WAS QA DURING ("2026-10-01", "2026-11-01") list
    WEB issues in review or QA since monday → jql project = WEB AND status WAS IN ("In Review", QA) DURING ("2026-11-23", now())
    WEB issues in QA but not in Review last week → jql project = WEB AND status WAS QA DURING (startOfWeek("-1"), startOfWeek()) AND status WAS NOT "In Review" DURING (startOfWeek("-1"), startOfWeek())
    who reported the most bugs last month → jql issuetype = Bug created last month by reporter
    who had WEB issues in QA last week → jql project = WEB AND status WAS QA DURING (startOfWeek("-1"), startOfWeek()) by assignee
    WEB moved to QA last week → jql project = WEB AND status CHANGED TO "QA" AFTER startOfWeek("-1") BEFORE startOfWeek() list
    how many of the bugs created in october are done? → jql issuetype = Bug AND statusCategory = Done created october
    how many WEB bugs did we close → jql project = WEB AND issuetype = Bug AND statusCategory = Done
    whats on my plate this week? → mine\`. This is how they are now: I left out \`this week
    what has been waiting for me since monday? → mine\`. This is how they are now: I left out \`since monday
    what should i work on this week → mine\`. This is how they are now: I left out \`this week
    what did I finish this week → assignee ada this week list
    my tickets created last month → assignee ada created last month list
    WEB issues moved from In Review to QA by bob → jql project = WEB AND status CHANGED BY "bob" FROM "In Review" TO "QA" by transitionCount sum
    WEB issues moved from In Review to QA by bob or carl → jql project = WEB AND status CHANGED BY ("bob", "carl") FROM "In Review" TO "QA" by transitionCount sum
    which bugs did dora report last month → jql issuetype = Bug AND reporter = dora created last month list
    bugs with reporter bob last month → jql issuetype = Bug AND reporter = bob last month
    how fast did we close WEB bugs in october → jql project = WEB AND issuetype = Bug october cycle time
    bugs I reported last month → jql issuetype = Bug AND reporter = ada created last month
    what did dora finish that bob reported → jql assignee = dora AND reporter = bob AND statusCategory = Done list
    bugs bob and carl created last month → jql issuetype = Bug AND reporter in (bob, carl) created last month
    bugs assigned to bob created last month → jql issuetype = Bug AND assignee = bob created last month
    WEB bugs open for more than 30 days → aging jql project = WEB AND issuetype = Bug AND created &lt; -30d with backlog
    WEB bugs open since october → aging jql project = WEB AND issuetype = Bug AND created &lt; "2026-10-01" with backlog
    WEB cycle time trend → WEB last 12 months by month
    WEB bugs resolved last month → jql project = WEB AND issuetype = Bug resolved last month
    how many bugs did we resolve in october → jql issuetype = Bug resolved october
    WEB resolved more than 30 days ago → jql project = WEB AND resolved &lt; -30d
    good morning, how is WEB in the summer → WEB between 2026-06-01 and 2026-08-31
    tickets assigned to bob but reported by carl in WEB → jql project = WEB AND assignee = bob AND reporter = carl
    bugs closed by bob but created by dora → jql issuetype = Bug AND assignee = bob AND reporter = dora AND statusCategory = Done
    bugs in WEB but reported by carl → jql project = WEB AND issuetype = Bug AND reporter = carl
    bugs in WEB but not reported by carl → jql project = WEB AND issuetype = Bug AND reporter != carl
    which issues did bob move to QA in WEB → jql project = WEB AND status CHANGED BY "bob" TO "QA" list
    what did bob move to Done last week → jql status CHANGED BY "bob" TO "Done" AFTER startOfWeek("-1") BEFORE startOfWeek() list
    has carl moved to QA → jql status CHANGED BY "carl" TO "QA" list
    bugs bob moved to Blocked → jql issuetype = Bug AND status CHANGED BY "bob" TO "Blocked" list
    bugs of bob moved to QA → jql issuetype = Bug AND assignee = bob AND status CHANGED TO "QA" list
    did bob and carl move issues to QA last week → jql status CHANGED BY ("bob", "carl") TO "QA" AFTER startOfWeek("-1") BEFORE startOfWeek() list
    did bob and carl report bugs in WEB last month → jql project = WEB AND issuetype = Bug AND reporter in (bob, carl) created last month
    bugs did bob, carl and dora create → jql issuetype = Bug AND reporter in (bob, carl, dora)
    did I or bob report bugs last month → jql issuetype = Bug AND reporter in (ada, bob) created last month
    what is waiting for bob in WEB → aging jql project = WEB AND assignee = bob with backlog
    what waits for bob → aging assignee bob with backlog
    closed or resolved bugs last month → jql issuetype = Bug resolved last month
    stories or bugs in WEB or APP → jql project in (WEB, APP) AND issuetype in (Story, Bug)
    everything but reported by carl in WEB → jql project = WEB AND reporter != carl
  `),
  )('%s: is read as a line', async (text, line) => {
    expect(await answerTo(text)).toContain(`I read this as \`/tis ${line}\`.`);
  });

  test.each(
    rowsOf(`
    WEB a month ago → month ago → WEB
    WEB this morning → morning → WEB
    WEB a year ago → year ago → WEB
    WEB in the last hour → last hour → WEB
    finished an hour ago → hour ago → jql statusCategory = Done
    bugs assigned to Will last month → Will → jql issuetype = Bug last month
    what did may finish last month → may → last month list
    what did Will close last month → Will → last month list
    what did Carl and Will close last month → Will → assignee carl last month list
    what did he close last month → he → last month list
    unassigned WEB bugs last month → last month → aging jql project = WEB AND issuetype = Bug AND assignee is EMPTY with backlog
    not started this week → this week → aging jql statusCategory = "To Do" with backlog
    no assignee last month → last month → aging jql assignee is EMPTY with backlog
    compare WEB bugs with APP stories → bugs" and "stories → compare WEB with APP
    compare bugs of bob with stories of carl → bob" and "carl → compare jql issuetype = Bug with jql issuetype = Story
    compare WEB bugs in october with APP bugs in september → in october" and "in september → compare jql project = WEB AND issuetype = Bug with jql project = APP AND issuetype = Bug
    bob vs carl in october and september → in october" and "september → compare assignee bob with assignee carl
    time in QA vs In Review → vs In Review → time in "QA"
    in progress vs blocked → vs blocked → time in "In Progress"
    compare WEB time in QA with APP time in Review → in Review → compare WEB with APP time in "QA"
    WEB time in QA and In Review last month → In Review → WEB last month time in "QA"
    how many bugs created in october were finished in november → in november → jql issuetype = Bug AND statusCategory = Done created october
    issues blocked by WEB-503 → WEB-503 → aging jql status = Blocked
    issues moved by bob last month → moved → assignee bob last month
    bugs updated by bob last month → bob → jql issuetype = Bug updated last month
    cycle time trend of WEB bugs in QA → cycle time → jql project = WEB AND issuetype = Bug by month time in "QA"
    did bob move bugs to QA last week → move → jql issuetype = Bug AND assignee = bob AND status WAS QA DURING (startOfWeek("-1"), startOfWeek())
    what hours do tickets take → hours → cycle time
    what hours does WEB spend in QA → hours → WEB time in "QA"
    low priority or unassigned bugs → or → aging jql priority &lt;= Low AND issuetype = Bug AND assignee is EMPTY with backlog
    in QA or assigned to bob → or → aging jql status = QA AND assignee = bob
    in QA or created by dora → or → aging jql status = QA AND reporter = dora
    no assignee or no component → or → aging jql component is EMPTY AND assignee is EMPTY with backlog
    open or closed bugs → or → aging jql issuetype = Bug with backlog
    WEB or unassigned → or → aging jql project = WEB AND assignee is EMPTY with backlog
    assigned to bob or reported by carl last month → or → jql assignee = bob AND reporter = carl created last month
    what moved in WEB last month → moved → WEB last month
    what did bob start last week → last week → aging assignee bob
    slow WEB bugs last month → slow → jql project = WEB AND issuetype = Bug last month
    medium WEB bugs last month → medium → jql project = WEB AND issuetype = Bug last month
  `),
  )('%s: what is not understood is said, and a line offered without it', async (text, words, line) => {
    expect(await answerTo(text)).toMatch(
      new RegExp(
        `^I don't understand ["\`]${words}["\`] here\\. Did you mean \`/tis ${line.replaceAll('(', '\\(').replaceAll(')', '\\)')}\``,
      ),
    );
  });

  test.each([
    'jql reporter = ada with jql reporter = bob',
    'jql project = WEB AND assignee in (ada, bob) with jql project = WEB AND assignee in (ada, carl)',
    'jql assignee = bob with jql NOT assignee = bob',
    'jql assignee = bob with WEB',
  ])('compare %s: people are not ranked', async (sides) => {
    const answer = await answerTo(`compare ${sides}`);
    expect(answer).toMatch(/^Median cycle time: .+ for .+, .+ for /);
    expect(answer).not.toMatch(/faster|slower|Change/);
  });

  test.each([
    ['project = WEB AND assignee != bob', 'project = APP AND assignee != bob'],
    ['project = WEB AND assignee = bob', 'assignee="bob" AND project = WEB AND issuetype = Bug'],
    ['project = WEB AND assignee in (bob, carl)', 'assignee in (bob,carl) AND issuetype = Story'],
  ])('compare jql %s with jql %s: the same people may be faster', async (one, other) => {
    expect(await answerTo(`compare jql ${one} with jql ${other}`)).toMatch(
      / is (?:faster|slower) than .*Change/s,
    );
  });

  test.each([
    'bugs except WEB-503 last month',
    'not WEB-503',
    'all but WEB-503',
    'WEB-503 not in Berlin hours',
  ])('%s: the issue is not shown for all others', async (text) => {
    const refused = await answerTo(text);
    expect(refused).toMatch(/^I (?:don't understand|couldn't find)/);
    expect(refused).not.toMatch(/Did you mean|WEB-503 ·/);
  });

  test.each([
    'average time from In Review to Done in WEB last month',
    'oldest issue in WEB',
    'oldest open bug in APP',
  ])('%s: what no line has is refused', async (text) => {
    expect(await answerTo(text)).toMatch(/^I don't understand "(?:from In Review to Done|oldest)" here\./);
  });

  test('what is left out about an issue is said in whole', async () => {
    expect(await answerTo('what did WEB-503 do last week')).toContain('I left out `last week`.');
    expect(await answerTo("why isn't WEB-503 done yet")).toContain("I left out `isn't`.");
  });

  test.each(['WEB reopened by bob', 'which WEB issues did bob reopen'])(
    '%s: they did it, whoever has the issue',
    async (text) => {
      expect(await answerTo(text)).toMatch(/project = WEB AND status CHANGED BY "bob" FROM \("Resolved"/);
    },
  );

  test('a week is one, however it is written', async () => {
    expect(await answerTo('how was WEB Last week')).toMatch(/^WEB · week 47 /);
  });

  test('the last weekend of a Saturday is not the running one', async () => {
    expect(await answerTo('WEB last weekend')).toContain(
      'finished from 2026-11-20 23:00 UTC to 2026-11-22 23:00 UTC',
    );
  });
});

/** Names of times on a day early in a year, on which the last one of a name is often of the year before. */
describe('a time by its name', () => {
  const place = startedOnce(() => startWithAda('2026-03-18T14:00:00.000Z'));

  async function answerTo(text: string, at: string): Promise<string> {
    place.dwell.clock.now = Date.parse(at);
    return (await place.slack.answerTo(`/tis ${text}`, { as: 'ada', in: 'general' })).text;
  }

  test.each(
    rowsOf(`
    WEB this december → WEB december
    WEB this october → WEB october
    WEB this Q4 → WEB Q4
    WEB this summer → WEB between 2025-06-01 and 2025-08-31
    WEB this weekend → WEB weekend
    what did bob close this december → jql assignee = bob december list
  `),
  )('%s: what has not begun is not answered with the last one', async (text, line) => {
    expect(await answerTo(text, '2026-03-18T14:00:00.000Z')).toMatch(
      new RegExp(`^I don't understand "this" here\\. Did you mean \`/tis ${line}\``),
    );
  });

  test.each([
    [
      'WEB Q1 vs Q2',
      /^.*Q2 2025 is slower than Q1: .* · WEB, finished\. Cycle time, median: Q1 .*, Q2 2025 /s,
    ],
    ['compare WEB october with november', /^November 2025 is slower than October 2025: /],
    ['compare WEB W50 with W10', /^W10 is faster than 2025-W50: /],
    ['compare WEB last month with this month', /^This month is \w+ than last month: /i],
  ])('%s: a year that is not the running one is in its title', async (text, title) => {
    expect(await answerTo(text, '2026-03-18T14:00:00.000Z')).toMatch(title);
  });

  test.each([
    ['WEB this march', '2026-03-18T14:00:00.000Z', 'finished since 2026-02-28 23:00 UTC'],
    ['WEB this Q1', '2026-03-18T14:00:00.000Z', 'finished since 2025-12-31 23:00 UTC'],
    ['WEB this H1', '2026-03-18T14:00:00.000Z', 'finished since 2025-12-31 23:00 UTC'],
    ['WEB this winter', '2027-01-02T14:00:00.000Z', 'finished since 2026-11-30 23:00 UTC'],
    ['WEB this weekend', '2026-11-28T14:00:00.000Z', 'finished since 2026-11-27 23:00 UTC'],
  ])('%s: the running one is', async (text, at, time) => {
    expect(await answerTo(text, at)).toContain(time);
  });
});
