//! `svc completions` and `svc man`: what is told of the commands outside of the program.

use super::Place;

#[test]
fn each_shell_completes_commands_and_flags() {
    let place = Place::new();
    // The last one is a flag's value, which not all shells complete.
    for (shell, words) in [("bash", 3), ("zsh", 3), ("fish", 3), ("elvish", 2), ("powershell", 2)] {
        let script = place.run(&["completions", shell]).done().stdout;
        let wanted = ["migrate", "complete-by", "next_renewal"];
        assert!(wanted.iter().take(words).all(|word| script.contains(word)), "{shell}");
    }
    let envelope = place.run(&["completions", "fish", "--format", "json"]).done().json();
    assert_eq!((&envelope["op"], &envelope["data"]["shell"]), (&"completions".into(), &"fish".into()));
    insta::assert_snapshot!(place.run(&["completions", "dash"]), @"
    [stderr]
    error: invalid value 'dash' for '<SHELL>'
      [possible values: bash, elvish, fish, powershell, zsh]

      tip: a similar value exists: 'bash'

    For more information, try '--help'.
    [exit status: 2]
    ");
}

/// What bash itself does with the script.
#[test]
fn bash_takes_the_script() {
    let place = Place::new();
    place.write("svc.bash", place.run(&["completions", "bash"]).done().stdout);
    let ask = "source ./svc.bash && COMP_WORDS=(svc pla) COMP_CWORD=1 && _svc svc pla svc && echo \"${COMPREPLY[@]}\"";
    let asked = std::process::Command::new("bash").args(["-c", ask]).current_dir(place.path("")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&asked.stdout).trim(), "plan", "{}", String::from_utf8_lossy(&asked.stderr));
}

/// What fish and zsh do with theirs, where they are installed.
#[test]
fn fish_and_zsh_take_the_scripts() {
    let place = Place::new();
    let fish = "source svc.fish; complete -C 'svc pla'";
    let zsh =
        "fpath=(. $fpath); autoload -Uz compinit; compinit -u -D; autoload +X _svc && print -r -- plan $_comps[svc]";
    for (shell, file, flags, ask) in [("fish", "svc.fish", "-c", fish), ("zsh", "_svc", "-fc", zsh)] {
        place.write(file, place.run(&["completions", shell]).done().stdout);
        let Ok(asked) = std::process::Command::new(shell).args([flags, ask]).current_dir(place.path("")).output()
        else {
            eprintln!("{shell} is not installed: its script was not tried");
            continue;
        };
        let said = String::from_utf8_lossy(&asked.stdout).into_owned();
        assert!(said.starts_with("plan") && asked.stderr.is_empty(), "{shell}: {said} {asked:?}");
    }
}

#[test]
fn every_command_has_a_page() {
    let place = Place::new();
    let told = place.run(&["man", "man1", "--format", "json"]).done().json();
    let pages = place.list("man1");
    assert_eq!(told["data"]["pages"].as_array().unwrap().len(), pages.len());
    for page in ["svc.1", "svc-build.1", "svc-plan.1", "svc-plan-migrate.1", "svc-man.1"] {
        assert!(pages.iter().any(|known| known == page), "{page} is not in {pages:?}");
    }
    let page = place.read("man1/svc-plan-migrate.1");
    assert!(page.contains(".TH svc-plan-migrate 1") && page.contains("complete\\-by"), "{page}");
    place.write("file", "");
    insta::assert_snapshot!(place.run(&["man", "file/man1"]), @"
    [stderr]
    svc: MAN_UNWRITTEN: file/man1 can't be written: Not a directory (os error 20)
    [exit status: 4]
    ");
}
