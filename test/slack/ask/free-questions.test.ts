import { describe, expect, test } from '#jest';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';
import { rowsOf } from '../../support/table-rows.ts';

/** Rows of `door → question → answer`, where the answer is a pattern. */
const patterns = (table: string) =>
  rowsOf(table).map(([door = '', question = '', answer = '']) => {
    const [, source = '', flags] = /^\/(.*)\/(\w*)$/.exec(answer) ?? [];
    return [door, question, new RegExp(source, flags)] as const;
  });

/** Questions of a team lead, in their own words, on a Saturday in Berlin. */
describe('a question in free words', () => {
  const place = startedOnce(() =>
    startDwellInSlack({
      at: '2026-11-28T14:00:00.000Z',
      environment: { TRACKER: 'sample', TIME_ZONE: 'Europe/Berlin' },
      people: ['ada', 'bob', 'carl', 'dora'].map((name) => slackPerson(name, { tz: 'Europe/Berlin' })),
      events: ['app_mention'],
    }),
  );

  const prefixes: Readonly<Record<string, string>> = {
    tis: '/tis ',
    delegates: '/delegates ',
    mention: '@dwell ',
  };

  /** The answer to ada through a door: a command, a mention or (`dm`) a direct message. */
  async function answerTo(door: string, text: string): Promise<string> {
    const line = `${prefixes[door] ?? ''}${text}`;
    return (await place.slack.answerTo(line, { as: 'ada', in: door === 'dm' ? 'dm' : 'general' })).text;
  }

  test.each(
    patterns(String.raw`
    dm → when will WEB be done → /^I read this as \`\/tis forecast WEB\`\. All \d+ open issues in WEB will be done by /
    tis → APP bugs closed in the last 6 weeks, 90th percentile cycle time → /^I read this as \`\/tis jql project = APP AND issuetype = Bug last 6 weeks cycle time p90\`\. 18 issues .* 85% within 23d 20h, 90% within 36d 8h from start to done/s
    tis → how many days did WEB-503 take without weekends → /^I read this as \`\/tis WEB-503 in Berlin\`\. Time is counted in the working hours of the calendar \`Berlin\`\. WEB-503 · .*Took 4d 1h from start to done/s
    tis → OPS august vs september, median time in progress → /^I read this as \`\/tis compare OPS august with OPS september time in "In Progress" median\`\. September is slower than August: median time In Progress 6h 2m vs\. 3h 37m .*In Progress, median: August 3h 37m, September 6h 2m/s
    tis → aging APP but only tasks assigned to dora → /^I read this as \`\/tis aging jql project = APP AND issuetype = Task AND assignee = dora\`\. No open issues/s
    tis → unassigned WEB tickets, how long have they been open → /^I read this as \`\/tis aging jql project = WEB AND assignee is EMPTY with backlog\`\. .*WEB-23: .*For 585d/s
    tis → week of nov 9 for OPS pls → /^I read this as \`\/tis weekly OPS 2026-W46\`\. OPS · week 46 \(Nov 9–15\) · vs week 45\./s
    tis → my tickets that i finished in november → /^I read this as \`\/tis jql assignee = ada november list\`\. No issues matching the filter finished since 2026-10-31 23:00 UTC/s
    tis → stories vs bugs, WEB + APP, average cycle time, since september → /issuetype = Bug since september average\`\. .*average cycle time 12d 23h vs\. 15d 4h .*Cycle time, average: /s
    mention → Could you tell us please who in APP has the most open tickets at the moment? → /^I read this as \`\/tis jql project = APP AND statusCategory != Done by assignee\`\. The column Issues counts them\. 97 issues.*@Hugo: Issues 1/s
    mention → what's been blocked or waiting in OPS for over two weeks? → /^I read this as \`\/tis aging jql project = OPS AND status in \(Blocked, "Waiting for customer"\) AND NOT status CHANGED AFTER -2w AND created &lt; -2w\`\. No open issues/s
    mention → did we get through review any quicker in november than in october? WEB, median → /^I read this as \`\/tis compare WEB november with WEB october time in "In Review" median\`\. October is slower than November: median time In Review 1d 3h vs\. 16h 4m/s
    mention → how's the current WEB sprint looking → /^WEB Sprint 44 \(Nov 16 – now\) · 16 finished so far, 8 not done yet/s
    dm → hi! how many tickets were reopened in WEB last month? thanks → /^I read this as \`\/tis jql project = WEB AND status CHANGED FROM \("Resolved", "Closed", "Done"\) TO .*\`\. Those are the issues that went from a status of category Done to another one\. No issues matching/s
    dm → throughput per week APP since sept 1 → /^I read this as \`\/tis APP since sept 1 by week\`\. APP · 56 issues finished since 2026-08-31 22:00 UTC .*2026-W46/s
    dm → when did APP-350 go to QA and who moved it there → /^I read this as \`\/tis APP-350 by history to "QA"\`\. APP-350 · .*APP-350 was never in QA\. .*In Review: Since Tue, Sep 15, 2026 20:26, Pete/s
    dm → when did APP-350 move to In Review → /APP-350 · .*Moved to In Review 2026-09-15 18:26 UTC by @Pete; 2026-09-22 15:03 UTC by @Pete\./s
    tis → WEB-503 checkout trend excluding weekends → /^I read this as \`\/tis WEB-503 in Berlin\`\. .* I left out \`checkout trend\`\. WEB-503 · /s
    dm → who should i ask while bob is away, and until when? → /^No one covers for \*Bob\* now\.\nNext: \*Carl covers for Bob\* for Expense Dec 1–15/s
    dm → when is bob back → /^No one covers for \*Bob\* now\.\nNext: \*Carl covers for Bob\* for Expense Dec 1–15/s
    delegates → is anyone covering for dora on dec 7? → /^No one covers for \*Dora\* on Mon, Dec 7\./
    delegates → dora and carl between christmas and new year → /^Dec 25 – Jan 1:\n\*Carl covers for Dora\* Dec 22 – Jan 3.*No one covers for \*Carl\* Dec 25 – Jan 1/s
    delegates → who is my backup over christmas → /^On Fri, Dec 25:\n\*Bob covers for you\*/s
    delegates → who covered for ada last month → /^Oct 1–31:\n\*Bob covers for you\* for Expense .*You covered for no one Oct 1–31/s
    delegates → ada october → /^Oct 1–31:\n\*Bob covers for you\* for Expense/s
    delegates → me and carl on dec 24 → /^No one covers for \*Carl\* on Thu, Dec 24.*\*Bob covers for you\* Dec 19 – Jan 2/s
    delegates → ada january → /^Jan 1–31:\n\*Bob covers for you\* Dec 19 – Jan 2/s
    delegates → who will cover for ada in october → /^No one covers for you Oct 1, 2027 – Oct 31, 2027/s
    delegates → who was out last week → /^\*Cover Nov 16–22\* · everyone who was out had cover\nAda \(Expense\), Bob/s
    dm → who filled in for bob yesterday → /^No one covered for \*Bob\* on Fri, Nov 27/s
    mention → hey who's standing in for carl tomorrow → /^No one covers for \*Carl\* on Sun, Nov 29/s
    tis → WEB-503 → /^WEB-503 · .* ✅ Took 6d 10h from start to done \(Nov 3–10\).*In Review: Times 1, Time 2d 15h/s
    tis → how long has APP-350 been sitting in review? → /^Showing APP-350, the issue in your text\. APP-350 · .*In Review: Times 2, Time 8d 13h.*Done \(now\)/s
    tis → WEB bugs median cycle time october → /^I read this as \`\/tis jql project = WEB AND issuetype = Bug october cycle time median\`\. 11 issues .* finished from 2026-09-30 22:00 UTC to 2026-10-31 23:00 UTC · half of the 9 with a cycle time within 4d 1h/s
    tis → APP cycle time p85 Q3 vs Q2 → /^I read this as \`\/tis compare APP Q3 with APP Q2 p85\`\. .*p85 cycle time .*Cycle time, p85: Q3 35d 19h, Q2 21d 15h, Change ▼ 14d 4h/s
    tis → whats stuck in QA → /^I read this as \`\/tis aging jql status = QA\`\. .*WEB-497: .*For 2d 3h, QA/s
    tis → aging OPS high priority only → /^I read this as \`\/tis aging jql project = OPS AND priority &gt;= High\`\. .*OPS-563: /s
    tis → weekly WEB 2026-W46 → /^WEB · week 46 \(Nov 9–15\) · vs week 45\./s
    tis → WEB Sprint 23 → /^I read this as \`\/tis sprint "WEB Sprint 23"\`\. WEB Sprint 23 \(Jan 26 – Feb 9\) · 9 finished/s
    tis → compare WEB and APP last month → /^APP is slower than WEB: median cycle time 10d 4h vs\. 7d 10h .* finished last month\./s
    tis → mine → /^6 open issues assigned to you · 6 not started\. .*For 305d 21h, To Do/s
    tis → avg time in QA, stories, label checkout, since Nov 1 → /^I read this as \`\/tis jql issuetype = Story AND labels = checkout since Nov 1 time in "QA" average\`\. No issues .* finished since 2026-10-31 23:00 UTC/s
    tis → run my saved report "Release health" → /^I couldn't find the saved report "Release health"\. Try: App lead times, Review times\./s
    tis → APP-350, APP-351 and WEB-503 in working hours → /^I read this as \`\/tis APP-350 APP-351 WEB-503 in Berlin\`\. Time is counted in the working hours of the calendar \`Berlin\`\. 3 issues, 2 finished\. .*Took 9d 6h/s
    tis → what did @bob finish between Nov 2 and Nov 13 → /^I read this as \`\/tis assignee bob between Nov 2 and Nov 13 list\`\. 3 issues assigned to bob finished from 2026-11-01 23:00 UTC to 2026-11-13 23:00 UTC\. .*WEB-482/s
    tis → WEB time in review by assignee last 30 days median → /^I read this as \`\/tis WEB last 30 days by assignee time in "In Review" median\`\. WEB · 31 issues finished in the last 30 days\. Median by person, with the number of issues of each\. .*@Faye: Issues 2, In Review 1d 8h/s
    tis → OPS created this month and still in To Do → /^I read this as \`\/tis aging jql project = OPS AND status = "To Do" AND created &gt;= startOfMonth\(\) with backlog\`\. No open issues/s
    tis → cylce time bugs vs tasks APP this quarter → /^I read this as \`\/tis compare jql project = APP AND issuetype = Bug this quarter with jql project = APP AND issuetype = Task this quarter\`\. I took \`cylce\` for \`cycle\`\. .*Task is slower than .*: median cycle time 15d 11h vs\. 8d 18h/s
    mention → How long do reviews take us these days compared to the summer? → /^I read this as \`\/tis compare last 30 days with between 2026-06-01 and 2026-08-31 time in "In Review"\`\. .*average time In Review .*In Review, average: /s
    mention → what got finished last week in APP? → /^I read this as \`\/tis APP last week list\`\. APP · 12 issues finished last week\. .*APP-391/s
    mention → which WEB tickets have been In Progress for more than 10 days → /^I read this as \`\/tis aging jql project = WEB AND status = "In Progress" AND NOT status CHANGED AFTER -10d AND created &lt; -10d\`\. All 4 started issues/s
    mention → how did last sprint go compared to the one before? → /^WEB Sprint 43 \(Nov 2–16\) · 12 finished, 7 carried over, 2 added\. .*5-sprint average/s
    mention → is WEB getting slower or faster? last 3 months pls → /^I read this as \`\/tis WEB last 3 months by month\`\. WEB · 81 issues finished in the last 90 days · by when they were finished\. Median cycle time 2d 15h in 2026-11 so far \(26 issues\), 7d 10h in 2026-10/s
    mention → who had WEB-503 while it was in QA and for how long → /^I read this as \`\/tis WEB-503 by statusDurationByAssignee\`\. .*Emil: QA: Total 21h 2m/s
    mention → how many issues did we close since Monday → /^I read this as \`\/tis since Monday\`\. WEB · 8 issues finished since 2026-11-22 23:00 UTC/s
    mention → how often did stuff bounce from QA back to In Progress in october? → /^I read this as \`\/tis jql status CHANGED FROM "QA" TO "In Progress" AFTER "2026-10-01" BEFORE "2026-11-01" by transitionCount sum\`\. .* 4 issues matching the filter\./s
    mention → team Payments, Oct vs Nov, 85th percentile cycle time without bugs → /^I read this as \`\/tis compare jql component = Payments AND issuetype != Bug Oct with jql component = Payments AND issuetype != Bug Nov p85\`\. .*Cycle time, p85: Oct/s
    dm → hey, how was last week for WEB? → /^WEB · week 47 \(Nov 16–22\) · vs week 46\./s
    dm → whats dora working on right now and how long has she had each one → /^I read this as \`\/tis aging assignee dora\`\. .*WEB-177: .*For 369d 5h, ⛔ In Progress, missed Dec 4, 2025, Dora/s
    dm → is carl in on monday? if not who do I ask → /^No one covers for \*Carl\* on Mon, Nov 30\./s
    dm → how long did OPS-118 wait in To Do before somebody picked it up → /^Showing OPS-118, the issue in your text\. OPS-118 · /s
    dm → Average time from In Progress to Done for high prio OPS tickets, 1.10. - 15.11., 9 to 5 Berlin time → /^I read this as \`\/tis jql project = OPS AND priority &gt;= High 1\.10\. - 15\.11\. cycle time average in Berlin\`\. Time is counted in the working hours of the calendar \`Berlin\`\. 20 issues .* finished from 2026-09-30 22:00 UTC to 2026-11-15 23:00 UTC · .* on average, half of the 16 with a cycle time within/s
    dm → anything in WEB Sprint 23 that hasnt moved since wednesday? → /^I read this as \`\/tis aging jql sprint = "WEB Sprint 23" AND NOT status CHANGED AFTER "2026-11-25" AND created &lt; "2026-11-25"\`\. The one started issue .*WEB-177/s
    delegates → @ada → /^\*Bob covers for you\* for Expense until Thu, Dec 31/s
    delegates → who covers for ada next week → /^Nov 30 – Dec 6:\n\*Bob covers for you\* for Expense .*Bob is out from Tue, Dec 1: Carl steps in/s
    delegates → whos out next week → /^\*Cover Nov 30 – Dec 6\* · everyone who is out has cover\n.*Bob \(Expense\), Carl, Expense, Dec 1–15/s
    delegates → bob dec 21 - jan 2 → /^Dec 21 – Jan 2:\n\*Carl covers for Bob\* Dec 19 – Jan 5/s
    delegates → who am I covering for today → /^On Sat, Nov 28:\n\*Bob covers for you\* .*You cover for no one on Sat, Nov 28\.$/s
    dm → am I covering for anyone tomorrow → /^On Sun, Nov 29:\n\*Bob covers for you\* .*You cover for no one on Sun, Nov 29\.$/s
    dm → for whom am I covering → /^\*Bob covers for you\* for Expense .*You cover for no one\.$/s
    dm → who is off on monday and has nobody covering → /^\*Cover Mon, Nov 30\* · everyone who is out has cover\n/
    delegates → gaps → /^\*Cover Nov 23–29\* · everyone who is out has cover\n/
    delegates → week 2026-W52 → /^\*Cover Dec 21–27\* · everyone who is out has cover\n/
    dm → who is out this morning → /^\*Cover Sat, Nov 28\*/
    dm → who is out tomorrow afternoon → /^\*Cover Sun, Nov 29\*/
    dm → who covers for carl for a few days next week → /^No one covers for \*Carl\* Nov 30 – Dec 6/
    dm → when does the cover for bob end → /^No one covers for \*Bob\* now\.\nNext: /
    delegates → 2026-W51 → /^\*Cover Dec 14–20\*/
    delegates → week W52 → /^\*Cover Dec 21–27\*/
    delegates → week 2026-W46 → /^\*Cover Nov 9–15\*/
    delegates → bob 2026-W52 → /^Dec 21–27:\n\*Carl covers for Bob\*/
    dm → what working hours do you count for WEB? → /\n\*Here\* 24\/7, Berlin time\.\n/
    mention → what's the time zone here → /\n\*Here\* 24\/7, Berlin time\.\n/
    dm → do you count weekends? → /\n\*Here\* 24\/7, Berlin time\.\n/
    dm → what hours did WEB-503 spend in review → /WEB-503 · /
    dm → which of my tickets have been waiting the longest? → /^6 open issues assigned to you/
    dm → what has been waiting longest → /^6 of 10 started issues in WEB have been in their status longer than usual\. 5 issues have missed their target of 13d 11h \(85% of the last 90 days\)\. WEB-177: /
    dm → bob vs carl cycle time last 90 days → /Median cycle time: 3d 22h for issues assigned to bob, 9d 3h for issues assigned to carl · finished last 90 days\. (?!.*(?:slower|faster|Change))/s
    delegates → anybody away in december without cover? → /^\*Cover Dec 1–31\* · :warning: 3 without cover\n.*Dec 10–12/s
  `),
  )('%s: %s', async (door, text, answer) => {
    expect(await answerTo(door, text)).toMatch(answer);
  });

  test.each(
    rowsOf(`
    tis → how many bugs are open in WEB? → aging jql project = WEB AND issuetype = Bug with backlog
    tis → compare this month to last month for WEB → compare WEB this month with WEB last month
    tis → issues in Ready for Release more than 5 days → aging jql status = "Ready for Release" AND NOT status CHANGED AFTER -5d AND created &lt; -5d
    tis → how many issues are in progress per person in APP → jql project = APP AND status = "In Progress" by assignee
    tis → what's the p95 for code review in WEB over the past 6 months → WEB past 6 months time in "In Review" p95
    dm → Did WEB close more bugs in October than in September? → compare jql project = WEB AND issuetype = Bug October with jql project = WEB AND issuetype = Bug September
    dm → which tickets are blocked right now? → aging jql status = Blocked
    dm → how much time do tickets spend in QA → time in "QA"
    dm → what did carl and emil finish this month → jql assignee in (carl, emil) this month list
    dm → cycle time of payments component from July to September → jql component = Payments from July to September cycle time
    dm → is anything overdue in OPS → aging jql project = OPS AND due &lt; now() AND statusCategory != Done with backlog
    dm → bugs without a component in WEB → jql project = WEB AND issuetype = Bug AND component is EMPTY
    mention → who finished the most issues last month → last month by assignee
    mention → any stories unassigned in APP → aging jql project = APP AND issuetype = Story AND assignee is EMPTY with backlog
    mention → is APP faster than WEB? → compare APP with WEB
    tis → open tickets per person in APP → jql project = APP AND statusCategory != Done by assignee
    dm → open bugs by priority → jql issuetype = Bug AND statusCategory != Done by priority
    dm → who's got the most work open in WEB → jql project = WEB AND statusCategory != Done by assignee
    tis → weekly OPS nov 9 → weekly OPS 2026-W46
    dm → what is waiting in OPS → aging jql project = OPS AND status = "Waiting for customer"
    dm → what's been waiting in review for over 3 days → aging jql status = "In Review" AND NOT status CHANGED AFTER -3d AND created &lt; -3d
    dm → stuff stuck in review > 5 days → aging jql status = "In Review" AND NOT status CHANGED AFTER -5d AND created &lt; -5d
    tis → APP cycle time 6 weeks → APP last 6 weeks cycle time
    tis → what's the difference between APP and WEB cycle time in q3 → compare APP q3 with WEB q3
    mention → weekly numbers for APP, week of Oct 26 please → weekly APP 2026-W44
    tis → WEB: median time in QA, Nov vs Oct → compare WEB Nov with WEB Oct time in "QA" median
    tis → p75 cycle time WEB since August → WEB since August cycle time p75
    tis → WEB + OPS closed last wk → jql project in (WEB, OPS) last week
    mention → is the median review time in APP better this month than last month → compare APP this month with APP last month time in "In Review" median
    dm → wip per person OPS → jql project = OPS AND statusCategory = "In Progress" by assignee
    dm → any blockers? → aging jql status = Blocked
    dm → APP-350 when was it in review and who put it there → APP-350 by history to "In Review"
    tis → mine finished in november → jql assignee = ada november list
    tis → APP sept vs oct → compare APP sept with APP oct
    tis → OPS august vs september p85 → compare OPS august with OPS september p85
    tis → WEB & APP bugs last month → jql project in (WEB, APP) AND issuetype = Bug last month
    tis → WEB cycle time w/o weekends last mth → WEB last month cycle time in Berlin
    dm → when was WEB-503 closed, working days only → WEB-503 in Berlin
    dm → WEB bugs finished more than 30 days ago → jql project = WEB AND issuetype = Bug AND finished &lt; -30d
    dm → WEB issues created more than 2 weeks ago → aging jql project = WEB AND created &lt; -2w with backlog
    dm → WEB bugs older than 30 days → aging jql project = WEB AND issuetype = Bug AND created &lt; -30d with backlog
    dm → everything but bugs in WEB last month → jql project = WEB AND issuetype != Bug last month
    tis → all WEB issues but bugs → jql project = WEB AND issuetype != Bug
    dm → WEB issues that aren't bugs last month → jql project = WEB AND issuetype != Bug last month
    dm → APP last month other than bugs → jql project = APP AND issuetype != Bug last month
    mention → anyone but bob in WEB last month → jql project = WEB AND (assignee != bob OR assignee is EMPTY) last month
    dm → bugs not assigned to bob in WEB → jql project = WEB AND issuetype = Bug AND (assignee != bob OR assignee is EMPTY)
    dm → WEB bugs not by bob last month → jql project = WEB AND issuetype = Bug AND (assignee != bob OR assignee is EMPTY) last month
    dm → WEB without bob and carl last month → jql project = WEB AND (assignee not in (bob, carl) OR assignee is EMPTY) last month
    tis → WEB, not bob → jql project = WEB AND (assignee != bob OR assignee is EMPTY)
    dm → WEB issues not created by bob last month → jql project = WEB AND reporter != bob created last month
    dm → issues in every project but WEB last month → jql project != WEB last month
    dm → other projects than WEB last month → jql project != WEB last month
    tis → all issues except WEB → jql project != WEB
    dm → everything except WEB and APP last month → jql project not in (WEB, APP) last month
    dm → all issues not in "WEB Sprint 23" in WEB last month → jql project = WEB AND (sprint != "WEB Sprint 23" OR sprint is EMPTY) last month
    dm → did carl get slower this month → compare assignee carl last month with this month
    dm → bugs in WEB after Q3 → jql project = WEB AND issuetype = Bug after Q3
  `),
  )('%s: %s is read as a line, which is shown', async (door, text, line) => {
    expect(await answerTo(door, text)).toContain(`I read this as \`/tis ${line}\`.`);
  });

  test.each(
    rowsOf(`
    dm → WEB vs APP vs OPS last month
    dm → median time from In Progress to In Review in WEB last quarter
    dm → show the sprint before last
    dm → WEB in october in september
    delegates → eve and carl between christmas and new year
    dm → who covers for bob and quux next week
    dm → which tickets came back after being done in OPS this quarter
  `),
  )('%s: %s is not answered with something else', async (door, text) => {
    expect(await answerTo(door, text)).toMatch(
      /^(?:I don't understand|You gave this twice).*Did you mean `\/(?:tis|delegates) /s,
    );
  });

  test('two sides are not compared by a figure that they do not have', async () => {
    expect(await answerTo('tis', 'cycle time APP vs WEB, p90')).toMatch(
      /^Two sides are compared by average, median or p85\. Did you mean `\/tis compare APP with WEB`\?/,
    );
  });

  test('what is not understood of a question about cover is never offered as one about issues', async () => {
    const refused = await answerTo('dm', 'who covers for carl while quux is away');
    expect(refused).toMatch(/^I don't understand `quux` here\. Did you mean `\/delegates carl`\?/);
    expect(refused).not.toContain('/tis');
  });

  test.each([
    'nothing but bugs in WEB',
    'WEB not bugs but stories last month',
    "what didn't bob finish last month",
    'are there no issues in WEB',
    'WEB issues not assigned to me last month',
    'WEB issues not in the last sprint',
    'WEB cycle time not by assignee',
    'WEB without marzipan last month',
  ])('%s: no line is offered that says the opposite', async (text) => {
    const refused = await answerTo('tis', text);
    expect(refused).toMatch(/^I (?:don't understand|couldn't)/);
    expect(refused).not.toContain('Did you mean');
  });

  test('in a direct message the word that is not understood is named', async () => {
    const refused = await answerTo('dm', "what didn't bob finish last month");
    expect(refused).toMatch(/^I don't understand "didn't" here\./);
  });

  test('a span in the wrong order is not read as one to the end of a month', async () => {
    const refused = await answerTo('tis', 'WEB nov 20 - nov 1');
    expect(refused).toMatch(/^I don't understand/);
    expect(refused).not.toContain('nov 20 - nov');
  });

  test.each([
    ['tis', 'WEB between nov 20 and nov 1'],
    ['dm', 'what did bob finish between nov 20 and nov 1'],
  ])('%s: %s is in the wrong order, which is said', async (door, text) => {
    const refused = await answerTo(door, text);
    expect(refused).toMatch(/"nov 1" comes before "nov 20"\. Try: the earlier day first\./);
    expect(refused).not.toContain('Did you mean');
  });

  test.each(
    rowsOf(`
    mention → top 5 slowest stories in Q3, all projects → A list can't be sorted by time. → /tis jql issuetype = Story Q3 list
    dm → what % of APP stories were done within 5 days last quarter → I don't understand "what %" and "within 5 days" here. → /tis jql project = APP AND issuetype = Story last quarter
    tis → longest wait in review this month in WEB → A list can't be sorted by time. → /tis WEB this month time in "In Review" list
    dm → which ticket took longest last month → A list can't be sorted by time. → /tis last month list
    dm → is carl slower than dana → I don't rank people by speed. → /tis jql assignee = carl AND statusCategory = Done list
    dm → is carl slower than dora this month → I don't rank people by speed. → /tis jql assignee in (carl, dora) this month list
    dm → issues assigned to carl is slower → I don't rank people by speed. → /tis jql assignee = carl AND statusCategory = Done list
    mention → who was the slowest in WEB last month → I don't rank people by speed. → /tis WEB last month by assignee
    tis → WEB october cycle time by assignee → Cycle time isn't shown per person, because people aren't ranked here. Time in each status is. → /tis WEB october by assignee
    dm → median cycle time per person WEB last quarter → Cycle time isn't shown per person, because people aren't ranked here. Time in each status is. → /tis WEB last quarter by assignee median
  `),
  )('%s: %s is refused with a line that works', async (door, text, sentence, line) => {
    const refused = await answerTo(door, text);
    expect(refused.startsWith(`${sentence} Did you mean \`${line}\`?`)).toBe(true);
    await place.slack.clicks(line, { as: 'ada', in: door === 'dm' ? 'dm' : 'general' });
    expect((await place.slack.reply()).text).toMatch(/issues? .*(?:finished|matching)/);
  });

  // As long as Slack lets a message be: work that grows with the square of it would not end here.
  test.each([
    ['words', 'quux '],
    ['commas', ' ,'],
    ['dots', '.'],
    ['marks', '<@'],
    ['times', 'from a to b '],
    ['cover', 'who covers for quux '],
  ])('a message of nothing but %s is answered', async (_, part) => {
    const text = `WEB ${part.repeat(Math.ceil(38_000 / part.length))}x`;
    for (const door of ['dm', 'tis'] as const)
      expect(await answerTo(door, text)).toMatch(/^(?:I (?:didn't|don't|couldn't)|JQL: the query has) /);
  });

  test('the times in two statuses are not compared as if they were those of two sets of issues', async () => {
    for (const text of ['is review slower than QA in WEB', 'time in review vs QA in WEB last month'])
      expect(await answerTo('dm', text)).toMatch(/^I don't understand/);
  });
});
