# Packages that are unpacked, not installed. Source it after lib.sh.

# debian_archive: the address of the packages of this release, as apt knows it.
debian_archive() {
    # shellcheck source=/dev/null
    source /etc/os-release
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' "Release: $VERSION_CODENAME" |
        head -n 1
}

# release_of_this_system: its code name.
release_of_this_system() {
    (source /etc/os-release && echo "$VERSION_CODENAME")
}

# use_private_apt DIRECTORY SUITE ARCHITECTURE STATUS: from now on apt has a state of its own in DIRECTORY/apt. It changes
# nothing outside, and needs neither a lock nor root. STATUS: the file that says which packages are there already.
use_private_apt() {
    local directory=$1 suite=$2 architecture=$3 status=$4 archive
    archive=$(debian_archive)
    if [ -z "$archive" ]; then
        echo 'apt has no source for this release of Debian.' >&2
        return 1
    fi
    mkdir -p "$directory/apt/"{lists,archives}/partial
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $suite main" >"$directory/apt/sources.list"
    cat >"$directory/apt/apt.conf" <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
Dir::Etc::sourcelist "$directory/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "$directory/apt";
Dir::Cache "$directory/apt";
Dir::Cache::archives "$directory/apt/archives";
Dir::State::status "$status";
APT::Sandbox::User "$(id -un)";
Debug::NoLocking "true";
END
    export APT_CONFIG=$directory/apt/apt.conf
    apt-get update
}

# unpack_archives DIRECTORY: what was downloaded, into DIRECTORY.
unpack_archives() {
    local package
    for package in "$1"/apt/archives/*.deb; do
        dpkg -x "$package" "$1"
    done
    rm -r "$1/apt"
}
