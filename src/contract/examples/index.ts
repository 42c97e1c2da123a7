export { CREDENTIAL_COOKIES, EXAMPLE_CALLERS, type Example, GIVEN_VARIABLES, type KeptValue } from './example.ts';
export { EXAMPLES } from './examples.ts';
export { RECORDED, type RecordedResponse } from './recorded.ts';
export { EXAMPLE_RUN, type ExampleStep } from './run.ts';
export { type ShownExample, showExample } from './show-example.ts';
export { fillIn, listVariables, readKept } from './variables.ts';
