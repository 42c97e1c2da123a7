/** A subject of titles, with the words by which laymen search for it. */
interface Topic {
  readonly title: RegExp;
  /** Titles that contain the words in another sense. */
  readonly unless?: RegExp;
  readonly words: readonly string[];
}

const FARMING = /\b(?:cereals?|crops?|agricultur\w*|harvest\w*|hectares?|kg|milk|wheat|grains?)\b/i;

// The words are in lowercase: the search takes a keyword in capitals, such as CPI, for the name of one series.
const TOPICS: readonly Topic[] = [
  { title: /\b(?:consumer prices?|hicp|cpi)\b/i, words: ['inflation', 'cpi', 'consumer prices'] },
  { title: /\b(?:producer prices?|ppi)\b/i, words: ['ppi', 'producer prices', 'wholesale prices'] },
  { title: /\b(?:gdp|gross domestic product)\b/i, words: ['gdp', 'gross domestic product'] },
  { title: /\b(?:gni|gross national income)\b/i, words: ['gni', 'gross national income'] },
  { title: /\b(?:gnp|gross national product)\b/i, words: ['gnp', 'gross national product'] },
  { title: /\b(?:ppp|purchasing power parit(?:y|ies))\b/i, words: ['ppp', 'purchasing power parity'] },
  { title: /\b(?:unemployment|unemployed|jobless)\b/i, words: ['unemployment', 'jobless'] },
  { title: /\b(?:employment|employed|payrolls?)\b/i, words: ['employment', 'jobs'] },
  { title: /\b(?:wages?|salar(?:y|ies)|earnings)\b/i, words: ['wages', 'salary', 'pay'] },
  { title: /\bexchange (?:reference )?rates?\b/i, words: ['currency', 'fx', 'forex'] },
  {
    title: /\b(?:interest rates?|yields?|federal funds|euribor|refinancing operations|deposit facility)\b/i,
    unless: FARMING,
    words: ['rates', 'interest rate'],
  },
  { title: /\b(?:mortgages?|house purchase)\b/i, words: ['mortgage', 'home loan'] },
  { title: /\b(?:monetary aggregates?|money supply|broad money|m[123])\b/i, words: ['money supply'] },
  {
    title: /\b(?:trade balance|balance of trade|net exports|external balance on goods)\b/i,
    words: ['trade balance', 'trade deficit', 'trade surplus'],
  },
  { title: /\bcurrent account\b/i, words: ['balance of payments'] },
  { title: /\b(?:fdi|foreign direct investment)\b/i, words: ['fdi', 'foreign direct investment'] },
  { title: /\b(?:government|public|federal|sovereign) (?:\w+ )?debt\b/i, words: ['national debt', 'public debt'] },
  {
    title: /\b(?:(?:government|federal|budget|fiscal) (?:surplus|deficit|balance)|net lending)\b/i,
    words: ['budget deficit'],
  },
  {
    title: /\b(?:(?:house|home|housing|residential property|dwelling) prices?|house price index)\b/i,
    words: ['house prices', 'home prices', 'real estate'],
  },
  { title: /\bindustrial production\b/i, words: ['factory output', 'manufacturing'] },
  { title: /\bretail (?:sales|trade)\b/i, words: ['retail sales', 'consumer spending'] },
  { title: /\bpopulation\b/i, words: ['inhabitants'] },
  { title: /\blife expectancy\b/i, words: ['lifespan'] },
  { title: /\b(?:mortality|deaths)\b/i, words: ['death rate'] },
  { title: /\b(?:fertility|births)\b/i, words: ['birth rate'] },
  { title: /\bgini\b/i, words: ['inequality'] },
  { title: /\b(?:co2|carbon dioxide)\b/i, words: ['co2', 'carbon dioxide'] },
  { title: /\b(?:crude oil|brent|wti)\b/i, words: ['oil price', 'petroleum'] },
];

/**
 * Returns further search terms for a title: the words of laymen for the subjects of official titles, and the long form
 * of an abbreviation or the other way around. Terms that the title contains are left out.
 *
 * @example findTopicWords('HICP - monthly data') // ['inflation', 'cpi', 'consumer prices']
 */
export function findTopicWords(title: string): readonly string[] {
  const words = new Set<string>();
  for (const topic of TOPICS) {
    if (!topic.title.test(title) || topic.unless?.test(title)) continue;
    for (const word of topic.words) words.add(word);
  }
  if (words.size === 0) return [];
  const lower = title.toLowerCase();
  return [...words].filter((word) => !containsWords(lower, word));
}

/** Returns whether a text contains words that are not a part of longer ones. */
function containsWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + words.length])) return true;
  }
  return false;
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
