# pkgs/by-name/ut/utf8ext/package.nix of nixpkgs.
{ lib, stdenv, fetchurl, sqlite }:

stdenv.mkDerivation {
  pname = "utf8ext";
  version = "@VERSION@";

  src = fetchurl {
    url = "@SOURCE@";
    sha256 = "@SHA256@";
  };

  buildInputs = [ sqlite ];

  dontBuild = true;
  installPhase = "@BUILD@ PREFIX=$out";

  doInstallCheck = true;
  nativeInstallCheckInputs = [ sqlite ];
  installCheckPhase = ''
    sqlite3 :memory: ".load '$out/lib/utf8ext'" "@TEST@"
  '';

  meta = {
    description = "@DESCRIPTION@";
    homepage = "https://@ADDRESS@";
    license = lib.licenses.mit;
    platforms = lib.platforms.unix;
  };
}
