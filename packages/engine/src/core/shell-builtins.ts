/** Words that change how a shell reads the rest of a script. */
const RESERVED =
  "case coproc do done elif else end esac fi for foreach function if in nocorrect noglob repeat select then time until while";

/**
 * Commands of bash, dash and zsh themselves that can run code, change variables, or change what another word of the
 * script means. Some do so in surprising ways: `printf -v 'a[$(program)]' x` and `test -v 'a[$(program)]'` run the
 * program.
 */
const BUILTINS = [
  ". - [ alias autoload bg bind bindkey break builtin bye caller case command compadd comparguments",
  "compcall compctl compdescribe compfiles compgen compgroups complete compopt compquote compset",
  "comptags comptry compvalues continue declare dirs disable disown echotc echoti emulate enable eval",
  "exec exit export fc fg float functions getln getopts hash history integer jobs let limit local",
  "logout mapfile popd print printf private pushd pushln r read readarray readonly rehash return sched",
  "set setopt shift shopt source suspend test times trap ttyctl typeset ulimit umask unalias unfunction",
  "unhash unlimit unset unsetopt vared wait zcompile zformat zle zmodload zparseopts zregexparse zstyle",
];

const OWN: ReadonlySet<string> = new Set([RESERVED, ...BUILTINS].flatMap((words) => words.split(" ")));

/**
 * Whether a shell does something of its own when this word is the name of a command, so that its arguments do not say
 * what runs. Commands that only print, and `cd`, do not count.
 */
export function isShellOwn(name: string): boolean {
  return OWN.has(name);
}
