export { listEverySymbol } from './list-every-symbol.ts';
export { type DaysRead, type DaysWanted, readDays } from './read-days.ts';
