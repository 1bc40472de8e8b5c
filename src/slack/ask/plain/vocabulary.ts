const things = '(?:issues?|tickets?|work|tasks?|items?|stuff|things?|cards?|jiras?)';
const than = '(?:compared? (?:to|with)|vs\\.?|versus|against|than)';
const faster = '(?:slower|faster|better|worse|quicker)';

/** The intents of sentences with their phrases: patterns of whole words, in lower case and without apostrophes. */
const table = [
  [
    'cycle',
    'cycle ?times?|time to (?:done|finish|complete|completion|close|resolve|resolution)',
    'turnaround(?: times?)?|throughput times?|from start to (?:done|finish|end)|start to (?:done|finish)',
  ],
  ['lead', 'lead ?times?'],
  [
    'aging',
    'stuck|aging|ageing|stale|stalled|dragging|lingering|hanging|not moving|too old',
    '(?:wait|waiting|sit|sitting|tak(?:e|en|es|ing)|aging )?(?: ?for)? ?(?:too|so|very|unusually) long',
    '(?:wait(?:ed|ing|s)?|sit(?:s|ting)?|sat|stuck) (?:for )?(?:the )?longest',
    '(?:longer|more) than (?:usual|normal|they should|it should|expected)|beyond usual',
  ],
  [
    'mine',
    `mine|my (?:own |open |current |assigned )*(?:${things}|queue|plate|list)|assigned to me`,
    'on my (?:plate|desk|list)|wait(?:s|ing)? for me|am i working(?: on)?|should i (?:work(?: on)?|do)',
  ],
  ['weekly', 'flow efficiency|weekly|weekly (?:summary|report|review|recap|numbers|stats)|week in review'],
  [
    'how',
    'how (?:was|were|is|did|does|do|are|went|has)|hows|how is it going|going|go|went|doing|do',
    'what happened|happened|recap|summary|summari[sz]e|overview|numbers|stats|statistics|figures|report',
  ],
  ['list', 'which|list|show(?: me)?|give me|what(?: are| were| is| was)?|whats|anything'],
  ['count', 'how many|number of|count|count of|amount of|throughput'],
  [
    'time',
    'how much time|(?:how many|number of) (?:days|hours|weeks|months)|how long|how old|old|age|ages|time in status|time spent|time|times|duration|durations|long|spends?|spent|spending',
    'bottlenecks?|los(?:e|es|ing|t)|wast(?:e|es|ing|ed)|slow(?:s|ing)? (?:us )?down',
  ],
  ['take', 'how (?:fast|quick|quickly|slow|slowly)|takes?|took|taking|taken|needs?|needed|lasts|lasted'],
  [
    'trend',
    'trends?|trending|trendline|over time|(?:month|week|quarter) (?:over|by) (?:month|week|quarter)',
    `(?:getting|becoming|got|gotten) (?:any )?${faster}|(?:getting )?${faster} or ${faster}|improv(?:e|es|ed|ing)`,
    'evol(?:ve|ves|ved|ution)|develop(?:ed|ment)?|history of',
  ],
  ['better', faster],
  [
    'compare',
    'vs\\.?|versus|compare[ds]?|comparing|comparison|against|compared? (?:to|with|against)',
    '(?:more|fewer|less|longer) than|than|differ(?:s|ence)?(?: between)?',
  ],
  ['sprintReport', 'sprint|sprint (?:report|summary|review|recap)|iteration'],
  [
    'before',
    `${than} (?:(?:the )?(?:ones?|sprints?) before(?: it| that)?|(?:the )?previous (?:ones?|sprints?)|usual|normal|average|before|earlier)`,
  ],
  ['savedReport', '(?:my |the |our )?saved (?:report|question|set)|saved'],
  [
    'finished',
    'finish(?:ed|es|ing)?|clos(?:e|ed|es|ing)|complet(?:e|ed|es|ing|ion)|done|got done|get done',
    'deliver(?:ed|s|ing|y)?|ship(?:ped|s|ping)?|wrapped up|fix(?:ed|es|ing)?|solved|released',
  ],
  ['resolved', 'resolv(?:e|ed|es|ing)'],
  [
    'created',
    'creat(?:e|ed|es|ing)|opened|filed|raised|reported|new|c[ao]me in|coming in|arriv(?:e|ed)|logged|added',
  ],
  ['updated', 'updated|touched'],
  [
    'open',
    'open|unresolved|unfinished|outstanding|pending|still open|undone',
    '(?:not|isnt|arent|never)(?: yet| been)? (?:done|finished|closed|resolved|completed)(?: yet)?',
  ],
  [
    'started',
    'in flight|wip|being worked on|in work|start(?:s|ed|ing)?|beg[aiu]n|pick(?:s|ed|ing)? up|active|ongoing|under way|underway',
    '(?:works|working|busy)(?: on| with)?|work (?:on|with)',
  ],
  [
    'waiting',
    'not(?: yet)? started|unstarted|in (?:the |our )?backlog|backlog|waiting to (?:be )?start(?:ed)?',
  ],
  [
    'unassigned',
    'unassigned|no assignee|without (?:an )?assignee|nobodys|not assigned|without (?:an )?owner',
  ],
  [
    'everywhere',
    '(?:in |of |for |across |over )?(?:all|every|any|each)(?: of)?(?: our| my| the)? (?:projects?|teams?)',
    'everything|everywhere|overall|altogether|company ?wide|across the board',
  ],
  ['now', 'right now|now|currently|at the moment|still|presently|today|as of (?:now|today)'],
  [
    'people',
    'who|whos(?: got)?|who (?:has|is|are)(?: got)?|who (?:had|has|worked on|handled|owned|held)|with (?:whom|who)|by who(?:m)?|whose',
  ],
  ['when', '(?:since )?when (?:did|do|does|was|were|is|are|has|had|will)|whens'],
  [
    'mover',
    '(?:and )?(?:who|by whom) (?:has |was it )?(?:moved|transitioned|put|pushed|sent|dragged|set|reopened|changed)',
  ],
  ['reopened', 're-?open(?:ed|s|ing)?|(?:went|came|moved|bounced) back from done'],
  ['visits', 'how (?:often|frequently)|how many times|number of times'],
  [
    'rank',
    'top(?: \\d{1,3}| three| five| ten)?|(?:\\d{1,3} )?(?:slowest|fastest|longest|quickest|worst|best|shortest)',
  ],
  [
    'share',
    '%|percent|percentage|what (?:percent(?:age)?|share|fraction|proportion|%)|share|fraction|proportion|ratio',
  ],
] as const satisfies readonly (readonly [intent: string, ...phrases: string[]])[];

/** One of the things that a sentence can ask for. */
export type Intent = (typeof table)[number][0];

/** The phrases of each intent; the longest are looked for first, so that `not started` is not `started`. */
export const phrases: readonly { readonly intent: Intent; readonly pattern: RegExp }[] = table.map(
  ([intent, ...words]) => ({ intent, pattern: new RegExp(`^(?:${words.join('|')})$`) }),
);

/** No phrase has more words. */
export const MAX_PHRASE = 6;

/** The words of a text, each once. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Words that can be left out without changing what is asked: none that restricts it, or turns it around. */
export const fillers = wordSet(
  `a an the this that these those there here it its is are was were be been being am do does did doing have has had
  having will would can could should shall might must may i we us our ours you your they them their he him his she
  her hers me my of in on at to for from by with within and or as per if so also just only please pls plz kindly
  thanks thank thx ty hey good hi hello yo hiya dear dwell bot ok okay well hmm uh um
  then than too very really actually basically maybe perhaps what whats which who whom whos whose when where why
  how much many long some any all every each both more most less few lot lots issue issues ticket tickets item
  items work things thing stuff card cards one ones jira jiras everybody anybody anyone everyone someone people
  team teams folks guys project projects board tell show give get got see look find know want wanna need like lets
  let help check whether about up out over down into onto through during while again back off yet already
  still now currently ever usually normally generally go goes going went come comes came make makes made
  take takes took taking taken spend spends spent run runs ran sit sits sitting sat stay stays stayed remain
  remains remained spending lie stand happen happens happened happening wait waits waited waiting move 
  moving pick picked picks actual time times status statuses state states stage
  code peer approximately approx roughly around same such quick quickly great nice fine question wondering wonder
  curious guess think thinking believe feel say said says looking looks + & plus numbers number data info
  information details overview result results report reports analysis stats view side sides breakdown break broken
  split piece pieces somebody something anything
  nothing whole entire across overall total amount pm etc eg ie weve ive im id theyre youre cant assignee
  assignees assigned reporter owner owners filter filters include including included count counted counting hows
  yours pass passes passed hold holds held level levels rate rates speed right sort kind`,
);

/** The words of people for the fields of issues, before or after a value. */
export const fieldWords: ReadonlyMap<string, string> = new Map(
  [
    'labels label labelled labeled tag tags tagged',
    'component components',
    'issuetype type types',
    'fixVersion fixversion version release',
    'status',
    'priority prio prios priorities',
    'resolution',
    'parent epic',
  ].flatMap((names) => {
    const [field = '', ...others] = names.split(' ');
    return [field, ...others].map((name) => [name, field] as const);
  }),
);

/** Words that no value of one of these names can be without its field beside it: they say something else. */
export const everydayValues = wordSet(
  'open closed resolved done selected new high low medium normal unresolved fixed none other backlog',
);

/** Words a misspelt one is corrected to: what names kinds of questions, times and figures. */
export const correctable = wordSet(
  `weekly aging sprint compare saved mine cycle median average percentile assignee priority stuck review compared versus
  january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday yesterday
  last week month quarter year days weeks months since between finished created resolved closed report`,
);
