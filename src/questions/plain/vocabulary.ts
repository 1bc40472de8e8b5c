/** What a sentence asks for, by the phrases that say so. */
export type Intent =
  | 'when'
  | 'mover'
  | 'reopened'
  | 'aging'
  | 'mine'
  | 'weekly'
  | 'how'
  | 'list'
  | 'count'
  | 'cycle'
  | 'lead'
  | 'time'
  | 'take'
  | 'trend'
  | 'compare'
  | 'sprintReport'
  | 'before'
  | 'savedReport'
  | 'finished'
  | 'created'
  | 'updated'
  | 'open'
  | 'started'
  | 'waiting'
  | 'unassigned'
  | 'everywhere'
  | 'now'
  | 'people'
  | 'visits'
  | 'better'
  | 'rank'
  | 'share';

/** A phrase and what it says; the pattern is the whole of some words in lower case without apostrophes. */
export interface Phrase {
  readonly intent: Intent;
  readonly pattern: RegExp;
}

function phrase(intent: Intent, words: string): Phrase {
  return { intent, pattern: new RegExp(`^(?:${words})$`) };
}

const things = '(?:issues?|tickets?|work|tasks?|items?|stuff|things?|cards?|jiras?)';

/** Longest phrases are looked for first, so that `not started` is not `started`. */
export const phrases: readonly Phrase[] = [
  phrase('cycle', 'cycle ?times?|time to (?:done|finish|complete|completion|close|resolve|resolution)'),
  phrase(
    'cycle',
    'turnaround(?: times?)?|throughput times?|from start to (?:done|finish|end)|start to (?:done|finish)',
  ),
  phrase('lead', 'lead ?times?'),
  phrase('aging', 'stuck|aging|ageing|stale|stalled|dragging|lingering|hanging|not moving|too old'),
  phrase(
    'aging',
    '(?:wait|waiting|sit|sitting|tak(?:e|en|es|ing)|aging )?(?: ?for)? ?(?:too|so|very|unusually) long',
  ),
  phrase('aging', '(?:wait(?:ed|ing|s)?|sit(?:s|ting)?|sat|stuck) (?:for )?(?:the )?longest'),
  phrase('aging', '(?:longer|more) than (?:usual|normal|they should|it should|expected)|beyond usual|oldest'),
  phrase('mine', `mine|my (?:own |open |current |assigned )*(?:${things}|queue|plate|list)|assigned to me`),
  phrase('mine', 'on my (?:plate|desk|list)|wait(?:s|ing)? for me|am i working on|should i (?:work on|do)'),
  phrase(
    'weekly',
    'flow efficiency|weekly|weekly (?:summary|report|review|recap|numbers|stats)|week in review',
  ),
  phrase('how', 'how (?:was|were|is|did|does|do|are|went|has)|hows|how is it going|going|go|went|doing|do'),
  phrase(
    'how',
    'what happened|happened|recap|summary|summari[sz]e|overview|numbers|stats|statistics|figures|report',
  ),
  phrase('list', 'which|list|show(?: me)?|give me|what(?: are| were| is| was)?|whats|anything'),
  phrase('count', 'how many|number of|count|count of|amount of|throughput'),
  phrase(
    'time',
    'how much time|how long|how old|old|age|ages|time in status|time spent|time|times|duration|durations|long|spends?|spent|spending',
  ),
  phrase('time', 'bottlenecks?|los(?:e|es|ing|t)|wast(?:e|es|ing|ed)|slow(?:s|ing)? (?:us )?down'),
  phrase('take', 'takes?|took|taking|taken|needs?|needed|lasts|lasted'),
  phrase(
    'trend',
    'trends?|trending|trendline|over time|(?:month|week|quarter) (?:over|by) (?:month|week|quarter)',
  ),
  phrase(
    'trend',
    '(?:getting|becoming|got|gotten) (?:any )?(?:slower|faster|better|worse|quicker)|improv(?:e|es|ed|ing)',
  ),
  phrase(
    'trend',
    '(?:getting )?(?:slower|faster|better|worse|quicker) or (?:slower|faster|better|worse|quicker)',
  ),
  phrase('better', 'better|worse|faster|slower|quicker'),
  phrase('trend', 'evol(?:ve|ves|ved|ution)|develop(?:ed|ment)?|history of'),
  phrase('compare', 'vs\\.?|versus|compare[ds]?|comparing|comparison|against|compared? (?:to|with|against)'),
  phrase('compare', '(?:more|fewer|less|longer) than|than|differ(?:s|ence)?(?: between)?'),
  phrase('sprintReport', 'sprint|sprint (?:report|summary|review|recap)|iteration'),
  phrase(
    'before',
    '(?:compared? (?:to|with)|vs\\.?|versus|against|than) (?:the )?(?:ones?|sprints?) before(?: it| that)?',
  ),
  phrase(
    'before',
    '(?:compared? (?:to|with)|vs\\.?|versus|against|than) (?:the )?previous (?:ones?|sprints?)',
  ),
  phrase(
    'before',
    '(?:compared? (?:to|with)|vs\\.?|versus|against|than) (?:usual|normal|average|before|earlier)',
  ),
  phrase('savedReport', '(?:my |the |our )?saved (?:report|question|set)|saved'),
  phrase(
    'finished',
    'finish(?:ed|es|ing)?|clos(?:e|ed|es|ing)|complet(?:e|ed|es|ing|ion)|done|got done|get done',
  ),
  phrase(
    'finished',
    'resolv(?:e|ed|es|ing)|deliver(?:ed|s|ing|y)?|ship(?:ped|s|ping)?|wrapped up|fix(?:ed|es|ing)?|solved|released',
  ),
  phrase(
    'created',
    'creat(?:e|ed|es|ing)|opened|filed|raised|reported|new|c[ao]me in|coming in|arriv(?:e|ed)|logged|added',
  ),
  phrase('updated', 'updated|touched'),
  phrase('open', 'open|unresolved|unfinished|outstanding|pending|still open|undone'),
  phrase(
    'open',
    '(?:not|isnt|arent|never)(?: yet| been)? (?:done|finished|closed|resolved|completed)(?: yet)?',
  ),
  phrase('started', 'in flight|wip|being worked on|in work|started|active|ongoing|under way|underway'),
  phrase('started', '(?:works|working|busy)(?: on| with)?|work (?:on|with)'),
  phrase(
    'waiting',
    'not(?: yet)? started|unstarted|in (?:the |our )?backlog|backlog|waiting to (?:be )?start(?:ed)?',
  ),
  phrase(
    'unassigned',
    'unassigned|no assignee|without (?:an )?assignee|nobodys|not assigned|without (?:an )?owner',
  ),
  phrase(
    'everywhere',
    '(?:in |of |for |across |over )?(?:all|every|any|each)(?: of)?(?: our| my| the)? (?:projects?|teams?)',
  ),
  phrase('everywhere', 'everything|everywhere|overall|altogether|company ?wide|across the board'),
  phrase('now', 'right now|now|currently|at the moment|still|presently|today|as of (?:now|today)'),
  phrase(
    'people',
    'who|whos(?: got)?|who (?:has|is|are)(?: got)?|who (?:had|has|worked on|handled|owned|held)|with (?:whom|who)|by who(?:m)?|whose',
  ),
  phrase('when', '(?:since )?when (?:did|do|does|was|were|is|are|has|had|will)|whens'),
  phrase(
    'mover',
    '(?:and )?(?:who|by whom) (?:has |was it )?(?:moved|transitioned|put|pushed|sent|dragged|set|reopened|changed)',
  ),
  phrase('reopened', 're-?open(?:ed|s|ing)?|(?:went|came|moved|bounced) back from done'),
  phrase('visits', 'how (?:often|frequently)|how many times|number of times'),
  phrase(
    'rank',
    'top(?: \\d{1,3}| three| five| ten)?|(?:\\d{1,3} )?(?:slowest|fastest|longest|quickest|worst|best|shortest)',
  ),
  phrase(
    'share',
    '%|percent|percentage|what (?:percent(?:age)?|share|fraction|proportion|%)|share|fraction|proportion|ratio',
  ),
];

/** No phrase has more words. */
export const MAX_PHRASE = 6;

/** Words that say nothing of what is asked. */
const plainWords =
  `a an the this that these those there here it its is are was were be been being am do does did doing have has had having
  will would can could should shall might must may i we us our ours you your they them their he him his she her hers me my
  of in on at to for from by with within and or as per if so also just only please pls plz kindly thanks thank thx ty hey good morning afternoon evening
  hi hello yo hiya dear dwell bot ok okay well hmm uh um then than too very really actually basically maybe perhaps
  what whats which who whom whos whose when where why how much many long some any all every each both more most less few lot lots
  issue issues ticket tickets item items work things thing stuff card cards one ones jira jiras everybody anybody anyone
  everyone someone people team teams folks guys project projects board tell show give get got see look find know want wanna
  need like lets let us help check whether about up out over down into onto through during while until till since ago after
  before between again back off yet already still now today currently ever usually normally generally
  go goes going went come comes came make makes made take takes took taking taken spend spends spent run runs ran sit sits
  sitting sat stay stays stayed remain remains remained spending lie stand happen happens happened happening wait waits waited
  waiting move moves moved moving pick picked picks start starts starting begin began actual time times status
  statuses state states stage code peer approximately approx roughly around about same such
  quick quickly much great good nice fine question wondering wonder curious guess think thinking believe feel say said says
  looking looks + & plus numbers number data info information details overview result results report reports analysis stats view side sides
  breakdown break broken split piece pieces end day days week weeks month months year years period first last next hours hour
  somebody something anything nothing whole entire across overall total amount am pm etc eg ie vs
  weve ive im id were theyre youre its lets cant
  assignee assignees assigned reporter owner owners filter filters include including included count counted counting only hows currently ours yours
  pass passes passed hold holds held level levels rate rates speed fast slow right sort kind`.split(/\s+/);

/** Words that restrict what is asked, or turn it around: they are never overlooked. */
const restricting = new Set([
  'not',
  'no',
  'without',
  'except',
  'excluding',
  'next',
  'vs',
  'first',
  'last',
  'before',
  'after',
  'between',
  'since',
  'until',
  'till',
]);

/** Words that can be left out without changing what is asked. */
export const fillers: ReadonlySet<string> = new Set(plainWords.filter((word) => !restricting.has(word)));

/** Words after which a value is what is not wanted. */
export const negators: ReadonlySet<string> = new Set(
  'without not no except excluding exclude excludes minus ignoring ignore non nor omit omitting but besides apart aside isnt arent wasnt werent'.split(
    ' ',
  ),
);

/** What people call the fields of issues before or after a value. */
export const fieldWords: ReadonlyMap<string, string> = new Map([
  ['label', 'labels'],
  ['labels', 'labels'],
  ['labelled', 'labels'],
  ['labeled', 'labels'],
  ['tag', 'labels'],
  ['tags', 'labels'],
  ['tagged', 'labels'],
  ['component', 'component'],
  ['components', 'component'],
  ['type', 'issuetype'],
  ['types', 'issuetype'],
  ['issuetype', 'issuetype'],
  ['version', 'fixVersion'],
  ['release', 'fixVersion'],
  ['fixversion', 'fixVersion'],
  ['status', 'status'],
  ['priority', 'priority'],
  ['prio', 'priority'],
  ['resolution', 'resolution'],
  ['epic', 'parent'],
  ['parent', 'parent'],
]);

/** Words that no value of one of these names can be without its field beside it: they say something else. */
export const everydayValues: ReadonlySet<string> = new Set(
  'open closed resolved done selected new high low medium normal unresolved fixed none other backlog'.split(
    ' ',
  ),
);

/** Words a misspelt one is corrected to: what names kinds of questions, times and figures. */
export const correctable: readonly string[] = [
  ...'weekly aging sprint compare saved mine cycle median average percentile assignee priority stuck review compared versus'.split(
    ' ',
  ),
  ...'january february march april june july august september october november december'.split(' '),
  ...'monday tuesday wednesday thursday friday saturday sunday yesterday'.split(' '),
  ...'last week month quarter year days weeks months since between finished created resolved closed report'.split(
    ' ',
  ),
];
